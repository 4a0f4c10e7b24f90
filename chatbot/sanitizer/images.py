"""Our own image links in the text of earlier answers, as clients send them back."""

import re
from typing import Final

_OWN_PATH: Final = r"/images/[\w-]{1,128}\.[0-9]{1,12}\.[\w-]{1,128}"
_HOST: Final = r"https?://[^\s/()<>]{1,255}"
_LABEL: Final = r"\[(?P<alt>[^\[\]\n]{0,1000})\]"
_OWN_IMAGE: Final = re.compile(rf"!{_LABEL}\((?:{_HOST})?{_OWN_PATH}\)", re.ASCII)
_OWN_LINK: Final = re.compile(rf"{_LABEL}\((?:{_HOST})?{_OWN_PATH}\)", re.ASCII)
_OWN_ADDRESS: Final = re.compile(rf"<?{_HOST}{_OWN_PATH}>?", re.ASCII)
_PARAGRAPH_END: Final = re.compile(r"\n[^\S\n]*\n|\r\n?[^\S\r\n]*\r")
ACKNOWLEDGMENT_CHARS: Final = 120


def leave_out_own_images(text: str) -> str:
    """``text`` without Markdown images that point to our image route, wherever they point from."""
    return _OWN_IMAGE.sub("", text)


def own_image_descriptions(text: str) -> tuple[str, ...]:
    """The descriptions of our own images in ``text``, in order, without empty ones."""
    return tuple(alt for match in _OWN_IMAGE.finditer(text) if (alt := match["alt"].strip()))


def leave_out_pictures(text: str) -> str:
    """``text`` without our own images, what announced them, and any other link to them.

    A model that reads "Gotowe, oto obraz." in the history says the same without a picture.
    """
    if "/images/" not in text:
        return text
    pieces = _OWN_IMAGE.split(text)[::2]  # the descriptions between them are the other half
    kept = "".join([*map(without_acknowledgment, pieces[:-1]), pieces[-1]])
    return _OWN_ADDRESS.sub("", _OWN_LINK.sub(lambda link: link["alt"], kept))


def without_acknowledgment(before: str) -> str:
    """What stands ``before`` a picture, without the short sentence that announced it."""
    text = before.rstrip()
    start = max((found.end() for found in _PARAGRAPH_END.finditer(text)), default=0)
    last = text[start:]
    is_sentence = last.endswith((".", "!", ":")) and not any(map(str.isdigit, last))
    is_acknowledgment = is_sentence and "\n" not in last and len(last) <= ACKNOWLEDGMENT_CHARS
    return before[:start] if is_acknowledgment else before
