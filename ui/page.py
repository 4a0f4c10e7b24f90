"""The page's layout: where everything stands, and which event reaches which function."""

from collections.abc import Callable, Sequence
from typing import Final

import gradio as gr
from gradio.components import Component
from gradio.events import Dependency

from ui.abilities import Abilities
from ui.chat import Chat
from ui.client import Gateway
from ui.formulas import DELIMITERS
from ui.listing import Listing
from ui.look.hidden import Action, build_list, build_signals
from ui.texts import Texts

DELETE_CACHE_S: Final = (600, 600)
"""How often and after how long Gradio empties its cache, in which nothing should ever be."""

LOOK_S: Final = 0.01
"""How often an idle page looks for events; Gradio's own millisecond costs 8 % of a core."""

SESSIONS: Final = 10
"""Tabs that Gradio remembers for each answer at once; one that it forgot is simply a new one."""


def build_page(texts: Texts, gateway: Gateway, *, chats: int) -> gr.Blocks:
    """The page in one language; ``chats`` answers can be streamed at once."""
    page: gr.Blocks = gr.Blocks(
        title=texts.name, analytics_enabled=False, fill_height=True, delete_cache=DELETE_CACHE_S
    )
    with page:
        _Layout(texts).connect(page, texts, gateway)
    page.max_threads = chats  # before the queue, which takes as many places from it
    page.state_session_capacity = SESSIONS * chats
    page.queue(default_concurrency_limit=None, max_size=None, api_open=False)
    page._queue.sleep_when_free = LOOK_S  # noqa: SLF001 - Gradio has no parameter for it
    return page


class _Layout:
    """The page's components, made in the order in which they stand.

    What a browser keeps for us stands in hidden fields: the ids of the conversation and of the
    running answer, how far its list was looked through, the settings of a conversation to come.
    """

    def __init__(self, texts: Texts) -> None:
        self.messages = gr.Chatbot(
            elem_id="conversation",
            label=texts.conversation,
            show_label=False,
            container=False,
            height="100%",
            scale=1,
            layout="panel",
            buttons=[],
            latex_delimiters=list(DELIMITERS),
            allow_tags=False,
            feedback_options=None,
            autoscroll=False,
        )
        with gr.Row(elem_id="composer", equal_height=True):
            self.text = gr.Textbox(
                elem_id="message",
                label=texts.message,
                placeholder=texts.message_placeholder,
                lines=1,
                max_lines=10,
                scale=1,
            )
            self.send = gr.Button(texts.send, elem_id="send", variant="primary", scale=0)
            self.stop = gr.Button(texts.stop, elem_id="stop", variant="stop", scale=0)
        self.conversation = _keep("conversation-id")
        self.answer = _keep("answer-id")
        self.draft = _keep("draft-settings")
        self.signals, self.opened = build_signals(), build_signals("opened")
        self.listed, self.aside = build_signals("list"), build_signals("aside")
        self.list, self.look = build_list(), Action("look")

    def connect(self, page: gr.Blocks, texts: Texts, gateway: Gateway) -> None:
        """Let every event reach its function."""
        abilities = Abilities(gateway)
        chat = Chat(gateway=gateway, texts=texts, abilities=abilities)
        listing = Listing(gateway=gateway, texts=texts)
        self._connect_chat(page, chat, listing)
        self._connect_list(page, chat, listing)

    def _connect_chat(self, page: gr.Blocks, chat: Chat, listing: Listing) -> None:
        shown = (self.messages, self.conversation, self.answer, self.signals)
        opened = (*shown, self.opened)
        listed = (self.list, self.listed)
        said = _listen(
            self.send.click, chat.send, (self.text, self.conversation, self.draft), shown
        )
        _listen(said.then, listing.show_named, (self.look.payload, self.conversation), listed)
        _listen(self.stop.click, chat.stop, (self.conversation, self.answer), ())
        for name in ("open", "new"):
            action = Action(name)
            _listen(action.button.click, chat.open, (action.payload, self.draft), opened)
        act, tell, settings = Action("act"), Action("tell"), Action("settings")
        _listen(act.button.click, chat.act, (act.payload, self.conversation), shown)
        _listen(tell.button.click, chat.tell, (tell.payload, self.conversation), (self.aside,))
        _listen(
            settings.button.click,
            chat.set,
            (settings.payload, self.conversation),
            (self.draft, self.aside),
        )
        _listen(page.load, chat.load, (), opened)
        _listen(page.load, chat.equip, (), (self.aside,))

        async def leave(request: gr.Request) -> None:
            await chat.leave(request)
            page.state_holder.session_data.pop(request.session_hash or "", None)

        page.unload(leave)

    def _connect_list(self, page: gr.Blocks, chat: Chat, listing: Listing) -> None:
        listed = (self.list, self.listed)
        opened = (self.messages, self.conversation, self.answer, self.signals, self.opened)
        now = (self.look.payload, self.conversation)
        _listen(page.load, listing.show, now, listed)
        _listen(self.conversation.change, listing.show, now, listed)
        _listen(self.look.button.click, listing.show, now, listed)
        rename = Action("rename")
        _listen(rename.button.click, listing.rename, (rename.payload, *now), listed)
        imported = Action("imported")
        _listen(imported.button.click, listing.imported, (imported.payload, *now), listed)
        delete = Action("delete")
        deleted = _listen(delete.button.click, listing.delete, (delete.payload, *now), listed)
        _listen(deleted.then, chat.look_again, (self.conversation, self.draft), opened)


def _keep(name: str) -> gr.Textbox:
    """A hidden field in which the browser keeps a value for us."""
    return gr.Textbox(elem_id=name, elem_classes="bridge", container=False, show_label=False)


def _listen(
    event: Callable[..., Dependency],
    react: Callable[..., object],
    inputs: Sequence[Component],
    outputs: Sequence[Component],
) -> Dependency:
    """Let ``react`` answer an event with values as they travel; every event counts."""
    return event(
        react,
        inputs=list(inputs),
        outputs=list(outputs),
        show_progress="hidden",
        trigger_mode="multiple",
        concurrency_limit=None,
        api_visibility="private",
        preprocess=False,
        postprocess=False,
    )
