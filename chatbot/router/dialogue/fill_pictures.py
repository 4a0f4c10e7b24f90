"""The picture that a prompt wants within its conversation, where nobody better can be asked."""

import re

from chatbot.language.names import lemmatise
from chatbot.router.detector.picture import read_description
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.detector.topic import read_topic
from chatbot.router.dialogue.antecedents import described
from chatbot.router.dialogue.editing import (
    bare,
    choose,
    clauses_of,
    edit,
    join_up,
    shared,
)
from chatbot.router.dialogue.pointing import thing_meant
from chatbot.router.dialogue.referents import referent
from chatbot.router.dialogue.scene import FollowUp, Scene, call
from chatbot.router.dialogue.state import IMAGE, NEEDED, WEATHER

_DRAWS = re.compile(
    r"^\W*(?:\w+[,.!]? ){0,5}?(?:narysuj\w*|namaluj\w*|naszkicuj\w*|wygeneruj\w*|stworz\w*|"
    r"zaprojektuj\w*|zrob (?:mi )?(?:obraz\w*|grafik\w+|plakat\w*|rysun\w+|logo))\b"
)
_KEEPS = re.compile(
    r"\b(?:jeszcze raz|od nowa|ponownie|t(?:en|a|o|ym|ego|ej) sam\w*|zamiast|go|ja|jego|jej|je|mu|"
    r"nim|niej|wersj\w+|tego|tej|ten|ta|te|tych|tym|podobn\w+|kolejn\w+|druga? kadr)\b"
)
_REFERS = re.compile(
    r"\b(?:go|ja|je|jego|jej|ich|nim|niej|nia|on|ona|oni|to|tego|tej|ten|ta|te|tym|taka|taki|"
    r"takiego|takiej)\b"
)
_SCENE = re.compile(
    r"\b(?:tak\w+|t\w+) (?:scen\w+|histori\w+|opowiesc\w*|widok\w*|obraz\w*|pomysl\w*|"
    r"kompozycj\w+)|"
    r"\bjak (?:radzisz|mowisz|opisal\w*|piszesz)\b"
)
_POINTING = re.compile(
    r"^(?:(?:skoro (?:juz )?o \w+ mowa|na|dokladnie|wlasnie|jak|mogl\w*|wyglada\w*|"
    r"podobizn\w+|portret\w*|"
    r"go|ja|je|jego|jej|ich|on|ona|nim|niej|to|tego|tej|ten|ta|te|tym|tak\w+|scen\w+|histori\w+|"
    r"o czym|ci|gada\w*|od \w+ minut|rysuj|co|proponowal\w*|drugie|pierwsze|"
    r"radzisz|mowisz|opisal\w*|legend\w*|bajk\w*|z|ilustracji|obrazku|rysunku)[\s,.:]+)+"
)
_OTHER = re.compile(
    r"\b(?:zupelnie|calkiem|cos) inn\w+\W*$|\binn\w+ (?:obraz|rysun|grafik|ilustracj)\w*\W*$|"
    r"\bnow\w+ (?:obraz|rysun|grafik|ilustracj)\w*\W*$"
)
_CHANGES = re.compile(
    r"\b(?:bez|reszta|dodaj\w*|doloz|dorysuj|zmien|zamien|usun|wplec|wstaw|dopisz|niech|zamiast|"
    r"t(?:en|a|o|ym|ego|ej|ę) (?:sam\w* )?(?:obraz|rysun|grafik|plakat|ilustracj|logo)\w*)\b"
)
_TALKED = re.compile(r"\bo czym (?:ci |tu )?(?:gada|mowi|opowiada|pisa|pisze)\w*")
_OFFERED = re.compile(r"(?:: |może |Może )([^:,.?!]+?) (?:albo|lub|czy) ([^:,.?!]+)")
_WHICH = re.compile(r"\b(?:pierw|drug)\w+\b")
_ABOUT = re.compile(r"\bo ((?:\w+ ){0,2}\w{3,}(?: (?:w|z|na|nad|pod) \w+)?)")
_PRAISE = re.compile(
    r"^\W*(?:(?:ale |o |no )?(?:(?:super|swietn\w+|fajn\w+|dobr\w+|ciekaw\w+|niezl\w+) )?pomysl\w*|"
    r"brzmi \w+|podoba mi sie(?: to)?|swietn\w+|super|ekstra|fajn\w+|piekn\w+|"
    r"idealn\w+|genialn\w+|cudn\w+|extra|bomba)[\s,.!:]+"
)
_SHORT = 10  # words
_LONGEST_REPLY = 300


def fill(scene: Scene) -> FollowUp | None:
    """The likeliest picture: the last one with a change, what is spoken of, or its own."""
    own = _own(scene)
    pictures = scene.state.pictures
    last = scene.state.last
    if last is not None and last.asked is not None and last.asked[0] == IMAGE:
        return _drawn(own or bare(scene.text))
    if _OTHER.search(scene.folded) and scene.size <= _SHORT:
        return _drawn(None)
    if pictures and not _is_new(scene, own) and (scene.is_active(IMAGE) or _goes_on(scene)):
        return _drawn(edit(choose(pictures, scene.text), scene.text))
    if (subject := _subject(scene)) is not None:
        return _drawn(join_up(subject, _additions(scene)))
    if own:
        return _drawn(own)
    return _drawn(edit(pictures[0], scene.text) if pictures else None)


def _drawn(description: str | None) -> FollowUp:
    needed = NEEDED[IMAGE]
    return call(IMAGE, description=description) if description else FollowUp(asks=(IMAGE, needed))


def _own(scene: Scene) -> str | None:
    """The description that the prompt itself gives."""
    needed = NEEDED[IMAGE]
    found = [one.arguments[needed] for one in scene.detected(IMAGE) if needed in one.arguments]
    return str(found[0]) if found else read_description(scene.text)


def _is_new(scene: Scene, own: str | None) -> bool:
    """Whether a picture of its own is asked for: "a teraz narysuj psa"."""
    return (
        bool(own)
        and _DRAWS.search(scene.folded) is not None
        and _KEEPS.search(scene.folded) is None
    )


def _goes_on(scene: Scene) -> bool:
    """Whether a prompt changes something of an earlier picture, though other things were said."""
    return any(
        (shared(one, scene.text) and _CHANGES.search(scene.folded))
        or not edit(one, scene.text).startswith(one)
        for one in scene.state.pictures[:2]
    )


def _subject(scene: Scene) -> str | None:
    """What a prompt points at: what was offered or told, a person, what was spoken of."""
    if not _REFERS.search(scene.folded):
        return None
    if (told := _told(scene)) is not None:
        return told
    last = scene.state.last
    proposed = described(last) if last is not None else None
    found = proposed or thing_meant(scene) or referent(scene) or _spoken_of(scene)
    return None if found is None else found.partition(" (")[0]


def _told(scene: Scene) -> str | None:
    """The scene of the last reply, one of two that it offers, or what the user told of."""
    last = scene.state.last
    if last is None:
        return None
    if any(one.name == WEATHER for one in last.calls):
        parts = last.reply.rstrip(".").split(", ")
        return ", ".join(part for part in parts if not any(map(str.isdigit, part))) or None
    if last.calls:
        return None
    if _TALKED.search(scene.folded):
        return ", ".join(turn.prompt.rstrip(" .") for turn in scene.state.turns if not turn.calls)
    offered = _OFFERED.search(last.reply)
    if offered is not None and (which := _WHICH.search(scene.folded)) is not None:
        chosen = offered[1] if which[0].startswith("pierw") else offered[2]
        return lemmatise(chosen, kind="topic", preposition="przez")
    return last.reply[:_LONGEST_REPLY].rstrip(" .") if _SCENE.search(scene.folded) else None


def _spoken_of(scene: Scene) -> str | None:
    """What the conversation was about: a topic, a picture, or what a prompt told of."""
    for turn in reversed(scene.state.turns):
        for made in reversed(turn.calls):
            for argument in ("description", "query", "city"):
                if argument in made.arguments:
                    return str(made.arguments[argument])
    prompts = [turn.prompt for turn in reversed(scene.state.turns)]
    for prompt in prompts:
        if (about := _ABOUT.search(fold_evenly(prompt))) is not None:
            return lemmatise(prompt[about.start(1) : about.end(1)], kind="topic", preposition="o")
    return next((found for one in prompts if (found := read_topic(one))), None)


def _additions(scene: Scene) -> list[str]:
    """What the prompt says of it, without the words that point."""
    found: list[str] = []
    praise = _PRAISE.match(scene.folded)
    for clause in clauses_of(scene.text[praise.end() :] if praise else scene.text):
        rest = bare(clause)
        if led := _POINTING.match(f"{fold_evenly(rest)} "):
            rest = rest[led.end() :]
        if rest:
            found.append(rest)
    return found
