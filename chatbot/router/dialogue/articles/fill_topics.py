"""The article that a prompt wants within its conversation, where nobody better can be asked."""

from chatbot.language.patterns import regex
from chatbot.router.detector.topic import read_topic
from chatbot.router.dialogue.articles.called import is_exclaimed, own_name
from chatbot.router.dialogue.articles.own_topics import own_topic
from chatbot.router.dialogue.articles.pointing import points_at
from chatbot.router.dialogue.articles.referents import called_meant, referent
from chatbot.router.dialogue.forecasts.places import THERE, latest
from chatbot.router.dialogue.mentions import shares_word
from chatbot.router.dialogue.scene import FollowUp, Scene, call
from chatbot.router.dialogue.state import NEEDED, WEATHER, WIKIPEDIA
from chatbot.router.dialogue.subjects import lacks_subject, read_edition

_IT = regex(r"\bto (?:ma|jest|lezy|nalezy)\b")


def fill(scene: Scene) -> FollowUp | None:
    """The likeliest article: what a word of the prompt means, its own topic, else the last one."""
    found = _fill(scene)
    language = read_edition(scene.text)
    if language is None or len(found.calls) != 1 or "language" in found.calls[0].arguments:
        return found
    query = found.calls[0].arguments[NEEDED[WIKIPEDIA]]
    return call(WIKIPEDIA, query=str(query), language=language)


def _fill(scene: Scene) -> FollowUp:
    needed = NEEDED[WIKIPEDIA]
    if (meant := _meant(scene)) is not None:
        return call(WIKIPEDIA, query=meant)
    own = tuple(
        one
        for one in scene.detected(WIKIPEDIA)
        if needed in one.arguments and not is_exclaimed(scene, str(one.arguments[needed]))
    )
    is_left_out = scene.is_active(WIKIPEDIA) and lacks_subject(scene.text)
    name = own_name(scene)
    if name is not None:
        named = [one for one in own if shares_word(str(one.arguments[needed]), name)]
        return FollowUp(calls=tuple(named)) if named else call(WIKIPEDIA, query=name)
    if (meant := referent(scene)) is not None:
        return call(WIKIPEDIA, query=meant)
    before = scene.state.values(WIKIPEDIA, needed)
    if own and not is_left_out and not points_at(scene, str(own[0].arguments[needed])):
        return FollowUp(calls=own)
    found = before[0] if before else _spoken_of(scene)
    return call(WIKIPEDIA, query=found) if found else FollowUp(asks=(WIKIPEDIA, needed))


def _meant(scene: Scene) -> str | None:
    """What it names as its topic, else what it means of all that was said."""
    return own_topic(scene) or called_meant(scene) or _of_place(scene)


def _of_place(scene: Scene) -> str | None:
    """The place whose weather was told, where it alone can be what is asked about."""
    place = latest(scene.state) if scene.is_active(WEATHER) else ()
    is_meant = THERE.search(scene.folded) or _IT.search(scene.folded) or lacks_subject(scene.text)
    is_only = bool(place) and own_name(scene) in {None, *place}
    return place[0] if is_only and is_meant else None


def _spoken_of(scene: Scene) -> str | None:
    """What the last prompts asked about, where nothing was looked up."""
    prompts = (turn.prompt for turn in reversed(scene.state.turns))
    return next((topic for one in prompts if (topic := read_topic(one))), None)
