"""Gradio's hidden components: the ways between the browser and Python.

Under the page's content security policy Gradio can run no script of ours. So `page.js` fills the
text box of an action with JSON and presses its button, and reads what Python draws into hidden
places (`ui.look.signals`, `ui.sidebar`).
"""

from typing import Final

import gradio as gr

LONGEST: Final = 1_000_000
LIST: Final = "chats-drawn"
SIGNALS: Final = "signals"


class Action:
    """One thing that a reader can do; made inside `gr.Blocks`, its name is that of the browser."""

    def __init__(self, name: str) -> None:
        """Make the two hidden components ``action-NAME-payload`` and ``action-NAME``."""
        self.name = name
        self.payload = gr.Textbox(
            elem_id=f"action-{name}-payload",
            elem_classes="bridge",
            container=False,
            show_label=False,
            max_length=LONGEST,
        )
        self.button = gr.Button(name, elem_id=f"action-{name}", elem_classes="bridge")


def build_signals(place: str = "") -> gr.Markdown:
    """The hidden component whose value is always one `ui.look.signals.draw_signal`.

    Each kind of event has a ``place`` (of `ui.look.signals.PLACES`) of its own, because a browser
    may see but the last of several signals that come to one place within a moment.
    """
    return _build_place(f"{SIGNALS}-{place}" if place else SIGNALS)


def build_list() -> gr.Markdown:
    """The component that takes `ui.sidebar.draw_list`; the browser shows it in the frame."""
    return _build_place(LIST)


def _build_place(elem_id: str) -> gr.Markdown:
    return gr.Markdown(
        elem_id=elem_id, elem_classes="bridge", sanitize_html=False, latex_delimiters=[]
    )
