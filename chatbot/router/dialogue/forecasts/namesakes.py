"""Which of several places of one name is meant: "Tarnowską", "ten pod Łodzią"."""

import re
from collections.abc import Iterator

from chatbot.language.patterns import regex
from chatbot.language.places import gazetteer
from chatbot.router.detector.spans import fold_evenly, split_words
from chatbot.router.dialogue.enumerations import listed_places
from chatbot.router.dialogue.forecasts.offered_places import offered_place, offers_places
from chatbot.router.dialogue.forecasts.places import spoken
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.turns import Turn

_ADJECTIVE = regex(r"(\w+[sc]k|\w+dzk)(?:a|ą|i|ie|iej|iego|iemu|im)", re.IGNORECASE)
_LYING = regex(
    r"\b[Tt](?:en|a|o|ego|ej|ym|ę) (?:\w+ )?(?:w|we|na|pod|koło|obok|nad|przy|z|ze) "
    r"([A-ZĄĆĘŁŃÓŚŹŻ]\w{3,})"
)
_DENIED = regex(r"\bnie (?:(?:w|o|t\w{1,2}) )*\w+", re.IGNORECASE)
_LONGEST = 7  # words of an answer that only tells the namesakes apart
_EPITHET = 5  # letters that forms of an adjective share
_STEM = 3  # letters that "Łodzią" shares with "Łódzki"


def namesake(scene: Scene) -> str | None:
    """Return the place whose name the prompt completes, or that it picks from the last reply."""
    last = scene.state.last
    if last is None or scene.size > _LONGEST or scene.is_question:
        return None
    named = _DENIED.sub(" ", scene.text)
    if last.asked is not None and (offered := offered_place(last.reply, named)) is not None:
        return offered
    words = [word.text for word in split_words(named) if len(word.text) > _STEM]
    listed = _of_one_name(listed_places(last.reply))
    for word in words:
        stem = fold_evenly(word)[:_STEM]
        found = [one for one in listed if fold_evenly(one.split()[-1]).startswith(stem)]
        if len(found) == 1:
            return found[0]
    asked = (str(one.arguments.get("city", "")).partition(" ") for one in last.calls)
    answered = [head for head, is_longer, _ in asked if is_longer]
    heads = [*answered, *(place for place in spoken(last.prompt) if " " not in place)]
    called = (one for head in heads for word in words for one in _called(head, word))
    lain = filter(None, (lying(head, scene.text) for head in heads))
    return next(called, None) or next(lain, None) or _other(last, scene.text)


def _other(last: Turn, text: str) -> str | None:
    """The only other place of a name whose epithet is denied: "nie śląskie, nasze"."""
    denied = {fold_evenly(one[0].split()[-1])[:_EPITHET] for one in _DENIED.finditer(text)}
    for call in last.calls:
        name = str(call.arguments.get("city", ""))
        head, _, epithet = name.partition(" ")
        if epithet and fold_evenly(epithet)[:_EPITHET] in denied:
            alike = (one for one in gazetteer().names if f"{one} ".startswith(f"{head} "))
            others = [one for one in alike if one != name]
            return others[0] if len(others) == 1 else None
    return None


def lying(name: str, text: str) -> str | None:
    """The known place of this first word that lies where ``text`` says: "ten na Lubelszczyźnie"."""
    head, where = name.split(maxsplit=1)[0], _LYING.search(text)
    if where is None:
        return None
    stem = fold_evenly(where[1])[:_STEM]
    alike = (one for one in gazetteer().names if one.startswith(f"{head} ") and one != name)
    found = [one for one in alike if fold_evenly(one.split()[-1]).startswith(stem)]
    return found[0] if len(found) == 1 else None


def names_namesakes(reply: str) -> bool:
    """Whether a reply leaves the choice among places of one name: "Ostrów Wielkopolski czy …?"."""
    is_list = reply.rstrip().endswith("?") and len(_of_one_name(listed_places(reply))) > 1
    return is_list or offers_places(reply)


def _of_one_name(places: tuple[str, ...]) -> list[str]:
    """Those whose first word others have, too."""
    firsts = [one.split()[0] for one in places]
    return [one for one, first in zip(places, firsts, strict=True) if firsts.count(first) > 1]


def _called(head: str, word: str) -> Iterator[str]:
    """The known places of this name with this adjective, however it is inflected."""
    if (adjective := _ADJECTIVE.fullmatch(word)) is not None:
        names = (f"{head} {adjective[1].capitalize()}{ending}" for ending in ("a", "i", "ie"))
        yield from (name for name in names if gazetteer().find(name) is not None)
