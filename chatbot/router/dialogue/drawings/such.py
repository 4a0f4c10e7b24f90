"""What the conversation says of a thing of which a prompt wants one alike: "taką choinkę"."""

from collections.abc import Sequence

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import Span, fold_evenly, split_words
from chatbot.router.dialogue.drawings.clauses import is_object, lowered, nominative
from chatbot.router.dialogue.mentions import nouns_of
from chatbot.router.dialogue.scene import Scene, is_small
from chatbot.router.dialogue.state import WEATHER
from chatbot.router.dialogue.turns import Turn

_SUCH = regex(r"\btak(?:i|a|ie|iego|iej|im|imi|ich)(?: (?!sam)\w+)?? (?P<thing>[^\W\d]{3,})")
_STEM, _FEWEST = 2, 4  # letters of an ending; letters that are the same at least
_ENDS = frozenset({"jak", "ktory", "ktora", "ktore", "i", "a", "czy", "ile", "zeby", "?", ".", ","})
_DOES = frozenset({"fin", "praet", "impt", "bedzie", "inf"})
_LOOKS = regex(r",? ?\bjak(?:by| by)? (?:to )?$")
_LOOKING = regex(r" (?:by )?(?:mog\w+ (?:by )?)?wyglad\w+(?: by)?(?: mog\w+)?(?=\W|$)")
_ON = regex(r"(?:na|w|z|ze|o) ")
_LISTED = regex(r"(, (?:a także |i |oraz )?| (?:i|oraz|lub|albo) )")
_PLACING = frozenset({
    "w",
    "we",
    "na",
    "pod",
    "nad",
    "przy",
    "z",
    "obok",
    "przed",
    "za",
    "posrodku",
})
_LONGEST = 200


def alike(scene: Scene) -> tuple[str, str] | None:
    """Return the prompt with the thing as the last question has it, and what its reply tells."""
    such = _SUCH.search(scene.folded)
    turn = next((one for one in reversed(scene.state.turns) if _tells(one)), None)
    if such is None or turn is None or turn.asked is not None:
        return None
    if turn.uses(WEATHER):  # its own words tell more: "taką pogodę"
        return None
    thing = scene.text[slice(*such.span("thing"))]
    words = split_words(turn.prompt)
    at = next((at for at, one in enumerate(words) if _is_same(one, thing)), None)
    if at is None:
        return None
    after = _said_after(turn.prompt, words, at)
    asked, rest = _unasked(scene.text[: such.start()], scene.text[such.end() :])
    return f"{asked}{thing}{after}{rest}", _details(turn)


def _unasked(before: str, after: str) -> tuple[str, str]:
    """Leave out the question how a thing looks, around the thing: "jak by … wyglądała"."""
    asked = _LOOKS.search(fold_evenly(before))
    looks = _LOOKING.search(fold_evenly(after)) if asked is not None else None
    if asked is None or looks is None:
        return before, after
    return f"{before[: asked.start()]} ", f"{after[: looks.start()]}{after[looks.end() :]}"


def _tells(turn: Turn) -> bool:
    return bool(turn.calls) or not is_small(turn)


def _is_same(word: Span, thing: str) -> bool:
    """Whether two words are forms of one noun, typed with Polish letters or without."""
    other = fold_evenly(thing)
    size = max(_FEWEST, min(len(word.folded), len(other)) - _STEM)
    is_alike = word.folded[:size] == other[:size] and len(other) >= _FEWEST
    return is_alike or bool(nouns_of(word.text) & nouns_of(thing))


def _said_after(text: str, words: tuple[Span, ...], at: int) -> str:
    """What is said of a noun behind it, up to a mark, a verb or another clause."""
    end = at + 1
    while end < len(words) and not _ends(words[end]):
        end += 1
    return text[words[at].end : words[end - 1].end]


def _ends(word: Span) -> bool:
    return word.folded in _ENDS or not word.text[0].isalnum() or _is_deed(word)


def _details(turn: Turn) -> str:
    """What the first sentence of a reply tells behind its verb: "Nosił żupan i pas"."""
    words = split_words(turn.reply)
    first = next(iter(words), None)
    readings = morphology().readings(first.text.lower()) if first is not None else ()
    end = next((one.start for one in words if one.text in {".", "!", "?"}), len(turn.reply))
    if first is None or not any(one.pos in {"praet", "impt", "fin"} for one in readings):
        return _arranged(turn, words, end)
    told = turn.reply[first.end : end].strip()
    led = _ON.match(fold_evenly(told))
    told = told[led.end() if led else 0 :].strip(" ,:")[:_LONGEST]
    if any(_is_order(word) for word in split_words(told)):
        return ""
    return "".join(map(_named, _LISTED.split(told)))


def _arranged(turn: Turn, words: Sequence[Span], end: int) -> str:
    """The first sentence of a reply without a call, where it only tells what is put where."""
    told = turn.reply[:end].strip()
    sentence = [word for word in words if word.start < end]
    is_placed = sum(word.folded in _PLACING for word in sentence) > 1 and "," in told
    is_told = any(_is_deed(word) for word in sentence)
    return lowered(told)[:_LONGEST] if is_placed and not is_told and not turn.calls else ""


def _is_deed(word: Span) -> bool:
    readings = morphology().readings(word.text.lower())
    return bool(readings) and all(one.pos in _DOES for one in readings)


def _is_order(word: Span) -> bool:
    """Whether a word tells what is to be done: then the reply is no description."""
    readings = morphology().readings(word.text)
    return bool(readings) and all(one.pos in {"impt", "inf"} for one in readings)


def _named(part: str) -> str:
    """One of the things that a verb has as its objects, in the nominative."""
    if not is_object(part):
        return part
    cases = frozenset(
        case for one in morphology().readings(split_words(part)[0].text) for case in one.cases
    )
    named = nominative(part, "przez" if "acc" in cases else "do")
    return lowered(named) if part[:1].islower() else named
