"""What is not liked in the last picture, and what is wanted for it: "ten fiolet nie pasuje"."""

from collections.abc import Sequence

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import Span, fold_evenly, split_words
from chatbot.router.dialogue.drawings.clauses import bare
from chatbot.router.dialogue.drawings.editing import edit, join_up

_MINDED = (
    r"(?:(?:mi|nam|mnie|sie|tu|tam|jakos|jednak|w ogole|jeszcze) ){0,3}nie "
    r"(?:(?:mi|nam|sie|bardzo|za bardzo) )?(?:lezy|leza|pasuje|pasuja|podoba|podobaja|gra|graja|"
    r"siedzi|odpowiada\w*|widzi|przekonuje|przekonuja)"
)
_INSTEAD = (
    r"(?:(?: mi| nam| sie)*[,.;–-]+ (?:(?:a|to|moze|lepiej|raczej|za to|wiec|niech) )*"
    r"(?:daj(?:my|cie)?|zrob(?:my|cie)?|wole|wolimy|wolal\w*|wez(?:my)?|sprobuj(?:my)?|"
    r"(?:z|za|pod)mien\w* (?:\w+ )?na|niech bedzie|bedzie|poprosze|chce|lepszy|lepsza|moze|lepiej))"
)
_DISLIKED = regex(
    rf"\bt(?:en|a|o|e) (?P<old>\w{{3,}})(?: (?:kolor|odcien))? {_MINDED}{_INSTEAD} "
    r"(?P<new>\S.{2,60})"
)
_STEM = 5  # letters of a colour, noun or adjective: "fiolet", "fioletowe"


def without_disliked(pictures: Sequence[str], prompt: str) -> str | None:
    """Return the last picture with what is wanted in place of what is not liked in it."""
    told = _DISLIKED.search(fold_evenly(prompt)) if pictures else None
    if told is None:
        return None
    picture = pictures[0]
    old, new = (prompt[slice(*told.span(one))] for one in ("old", "new"))
    new = bare(f"daj {new}")
    quality = next((one for one in split_words(picture) if _is_quality(one, old)), None)
    if quality is None:
        changed = edit(picture, f"zamiast {old} {new}")
        return None if changed.startswith(picture) else changed
    rest = f"{picture[: quality.start].rstrip(' ,')} {picture[quality.end :].lstrip()}".strip()
    return join_up(rest, [new])


def _is_quality(word: Span, old: str) -> bool:
    """Whether an adjective of the picture says the same: "niebieskie" of "niebieski"."""
    is_adjective = any(one.pos == "adj" for one in morphology().readings(word.text))
    return is_adjective and word.folded[:_STEM] == fold_evenly(old)[:_STEM]
