"""What Python tells the browser: JSON in a hidden element, on which `page.js` acts."""

import json
from html import escape
from time import monotonic_ns
from typing import Final

PLACES: Final = ("opened", "list", "aside")


def draw_signal(**fields: object) -> str:
    """Markup that makes the browser act; every call differs, so the same one can come twice.

    ``conversation``: the id for the address (``""``: none), ``title``: the conversation's title,
    ``titled``: the same as ``{"id", "title"}`` for whoever still looks at that conversation,
    ``status``: words for the live region, ``notice``: words that are also shown for a while,
    ``running``: whether an answer is being made, ``focus``: an element's id, ``closed``: a dialog's
    id, ``draft``: text for the message box, ``settings``: what `ui.parameters` describes,
    ``suggestions``: questions for the empty page, ``copy``: text for the clipboard,
    ``pictures``: fresh addresses of pictures by their ids.
    """
    return draw_json({**fields, "turn": monotonic_ns()})


def draw_json(fields: object) -> str:
    """JSON as an attribute of an empty element: inert whatever text it holds."""
    return f'<div data-json="{escape(json.dumps(fields, ensure_ascii=True))}"></div>'
