"""What a question means after a work: who made it, or the work itself: "a inne piosenki?"."""

from chatbot.language.patterns import regex
from chatbot.router.dialogue.mentions import find_mentions, shares_word, topic_of
from chatbot.router.dialogue.name_kinds import name_kind
from chatbot.router.dialogue.scene import Scene

_OF_MAKERS = regex(
    r"\binn\w+ (?:\w+ )?(?:piosenk|ksiazk|film|utwor|powiesc|obraz|dziel|wiersz|plyt|album|"
    r"serial|sztuk|oper)\w*|"
    r"\bskad (?:on |ona )?(?:jest|pochodzi)\b|\bile (?:on |ona )?ma lat\b|\bzyje\b|"
    r"\bma (?:\w+ )?(?:zone|meza|dzieci|rodzine|rodzenstwo)\b"
)
_INSIDE = regex(r"\bw (?:nim|niej)\b")
_FEW = 8  # words


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
