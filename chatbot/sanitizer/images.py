"""Our own image links in the text of earlier answers, as clients send them back."""

import re

_OWN_IMAGE = re.compile(
    r"!\[(?P<alt>[^\[\]\n]{0,1000})\]"
    r"\((?:https?://[^\s/()<>]{1,255})?/images/[\w-]{1,128}\.[0-9]{1,12}\.[\w-]{1,128}\)",
    re.ASCII,
)


def leave_out_own_images(text: str) -> str:
    """``text`` without Markdown images that point to our image route, wherever they point from."""
    return _OWN_IMAGE.sub("", text)


def own_image_descriptions(text: str) -> tuple[str, ...]:
    """The descriptions of our own images in ``text``, in order, without empty ones."""
    return tuple(alt for match in _OWN_IMAGE.finditer(text) if (alt := match["alt"].strip()))
