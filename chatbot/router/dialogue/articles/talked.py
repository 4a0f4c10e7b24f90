"""What was spoken of where nothing was looked up: "kto to napisał?" after "polecam „Lód”"."""

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly, split_words
from chatbot.router.detector.titles import find_titles
from chatbot.router.dialogue.articles.answered import genders_of, wanted_gender
from chatbot.router.dialogue.articles.called import own_name
from chatbot.router.dialogue.mentions import Mention, find_mentions, shares_word
from chatbot.router.dialogue.naming import gender_of
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.subjects import lacks_subject
from chatbot.router.dialogue.turns import Turn

_OF_WORKS = regex(
    r"\b(?:napisal\w*|napisan\w+|wysz(?:lo|la|ly|edl)|wydan[oaey]|wydal\w*|nakreci\w+|nakrecon\w+|"
    r"wyrezyser\w+|namalowa\w+|skomponowa\w+|(?:za)?spiewal?a?|nagral\w*|premier\w+|autor\w*|"
    r"rezyser\w*|ekraniz\w+|ma stron|rozdzial\w*|ukazal\w* sie)\b"
)
_IT = regex(r"\b(?:to|go|ja|je|jego|jej|tego|tej|t(?:a|e|en) (?:ksiazk|powiesc|film|serial)\w*)\b")
_SPEAKS = regex(
    r"\b(?:stres(?:c|zcz)\w*|opowiedz\w*|omow\w*|zrecenzuj\w*|recenzj\w+|zinterpretuj|interpretacj\w+|"
    r"charakterystyk\w+|scharakteryzuj|rozprawk\w+|plan wydarzen|o czym jest|przypomnij\w*)\b"
)
_FEW = 12  # words


def talked_of(scene: Scene) -> str | None:
    """Return what the last exchange was about, where our reply came from no tool.

    The work that the reply has in quotation marks or that was to be retold, where only a work can
    be meant; else the only name of the reply, where a pronoun agrees with it.
    """
    last = scene.state.last
    if last is None or last.calls or scene.size > _FEW or own_name(scene) is not None:
        return None
    is_pointed = _IT.search(scene.folded) is not None or lacks_subject(scene.text)
    if is_pointed and _OF_WORKS.search(scene.folded):
        return _work(last)
    if (wanted := wanted_gender(scene)) is None:
        return None
    fresh = _fresh(last)
    is_one = len({one.name for one in fresh}) == 1
    return fresh[0].name if is_one and wanted in _genders(fresh[0]) else None


def _work(last: Turn) -> str | None:
    """The only title of a reply, else the one whose contents were asked for."""
    titles = {one.name for one in find_mentions(last.reply) if one.kind == "work"}
    if titles:
        return next(iter(titles)) if len(titles) == 1 else None
    if not _SPEAKS.search(fold_evenly(last.prompt)):
        return None
    words = split_words(last.prompt)
    known = [one for one in find_titles(words) if words[one.start].is_capitalised]
    named = [one.name for one in known] or [one.name for one in find_mentions(last.prompt)]
    return max(named, key=len, default=None)


def _fresh(last: Turn) -> list[Mention]:
    words = [word.text for word in split_words(last.prompt)]
    named = find_mentions(last.reply)
    return [one for one in named if not any(shares_word(one.name, word) for word in words)]


def _genders(one: Mention) -> frozenset[str]:
    return frozenset({gender_of(one.name) or ""}) if one.kind == "person" else genders_of(one.name)
