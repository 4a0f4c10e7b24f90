"""Shows people what they, or a model, gave: one clean and short line of any value."""

UNSHOWABLE = "?"
ELLIPSIS = "…"


def echo(value: object, *, longest: int = 60) -> str:
    """``value`` as one printable line of at most ``longest`` characters.

    Control characters, halves of surrogate pairs and whatever else has no shape of its own become
    spaces, and runs of spaces one. A number too long for Python to write, also inside a list, is
    only hinted at.
    """
    try:
        text = str(value)
    except (ValueError, RecursionError):  # an integer of more than 4,300 digits, endless nesting
        text = UNSHOWABLE
    shown = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return shown if len(shown) <= longest else shown[: longest - len(ELLIPSIS)] + ELLIPSIS
