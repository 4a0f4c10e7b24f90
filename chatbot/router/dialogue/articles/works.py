"""What a question means after a work: who made it, or the work itself: "a inne piosenki?"."""

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import split_words
from chatbot.router.dialogue.articles.name_kinds import name_kind
from chatbot.router.dialogue.mentions import find_mentions, shares_word, topic_of
from chatbot.router.dialogue.naming import is_person
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import WIKIPEDIA

_OF_MAKERS = regex(
    r"\binn\w+ (?:\w+ )?(?:piosenk|ksiazk|film|utwor|powiesc|obraz|dziel|wiersz|plyt|album|"
    r"serial|sztuk|oper)\w*|"
    r"\bskad (?:on |ona )?(?:jest|pochodzi)\b|\bile (?:on |ona )?ma lat\b|\bzyje\b|"
    r"\bma (?:\w+ )?(?:zone|meza|dzieci|rodzine|rodzenstwo)\b"
)
_INSIDE = regex(r"\bw (?:nim|niej)\b")
_OF = regex(
    r"\b[Tt](?:en|a|ego|ej|emu|ym|ą|ę)(?: \w+)? od "
    r"[„\"]?([A-ZĄĆĘŁŃÓŚŹŻ][\w-]+(?: i [a-z]\w+)?|[a-ząćęłńóśźż]{5,})"
)
_WHOSE = regex(r"\bczyj(?:a|e|ego|ej)?\b")
_FEW, _SHORTEST = 8, 3  # words, letters


def of_work(scene: Scene) -> str | None:
    """Return the only person whom the reply names beside a work, or the work for "w nim".

    Only of a maker can be asked how old he is, where he comes from, which other songs he wrote.
    """
    topic, last = topic_of(scene), scene.state.last
    if topic is None or last is None or scene.size > _FEW or find_mentions(scene.text):
        return None
    named = find_mentions(last.reply)
    first = topic.split(" ", 1)[0]
    is_titled = any(one.kind == "work" and shares_word(one.name, first) for one in named)
    if not is_titled and name_kind(topic) != "work":
        return None
    if _INSIDE.search(scene.folded):
        return topic
    people = {one.name for one in named if one.kind == "person"}
    is_only = len(people) == 1 and _OF_MAKERS.search(scene.folded) is not None
    return next(iter(people)) if is_only else None


def part_of_topic(scene: Scene) -> str | None:
    """Return the topic, no person, of a part of which is asked whose it is: "słowa czyje?"."""
    topic = topic_of(scene)
    if topic is None or is_person(topic) or scene.size > _FEW or not _WHOSE.search(scene.folded):
        return None
    return topic if scene.is_active(WIKIPEDIA) and not find_mentions(scene.text) else None


def maker_meant(scene: Scene) -> str | None:
    """Return the only person of the exchange about a work or a discovery: "ten od Chłopów"."""
    told = _OF.search(scene.text)
    if told is None:
        return None
    words = [word.text for word in split_words(told[1]) if len(word.text) >= _SHORTEST]
    for turn in reversed(scene.state.turns):
        queries = (str(value) for one in turn.calls for value in one.arguments.values())
        said = " ".join((turn.prompt, turn.reply, *queries))
        if words and all(shares_word(said, word) for word in words):
            named = find_mentions(turn.reply)
            people = {one.name for one in named if one.kind == "person"}
            return next(iter(people)) if len(people) == 1 else None
    return None
