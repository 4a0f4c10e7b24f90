"""The two characters of the attribution frame, which no user, model or tool can write."""

FRAME_CHARACTERS = {ord("⟦"): "[[", ord("⟧"): "]]"}


def map_frame_characters(text: str) -> str:
    """``text`` with each frame character replaced by two ordinary brackets.

    The replacement holds no frame character, so removing anything from the text later cannot
    assemble one.
    """
    return text.translate(FRAME_CHARACTERS)
