"""What is seen of each name that a prompt may be about: how it came up, whether it agrees."""

from collections.abc import Iterator, Sequence

from chatbot.language.folding import fold
from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.nouns import ASKED, CATEGORIES, PREPOSITIONS
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, split_words
from chatbot.router.dialogue.articles.candidates import Candidate, Picked, find_candidates
from chatbot.router.dialogue.articles.reference_fits import read_fits
from chatbot.router.dialogue.contrasts import read_contrast
from chatbot.router.dialogue.mentions import find_mentions, shares_word
from chatbot.router.dialogue.naming import gender_of, is_first_name
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import IMAGE, MATHEMATICS, WEATHER, WIKIPEDIA
from chatbot.router.dialogue.subjects import lacks_subject, own_subject

Signs = tuple[str, ...]

_PRONOUNS = {
    "on": "m", "jego": "mn", "niego": "mn", "nim": "mn", "go": "mn", "mu": "mn", "jemu": "mn",
    "ona": "f", "jej": "f", "niej": "f", "nia": "f", "ja": "f", "ono": "n", "je": "np",
    "oni": "p", "one": "p", "ich": "p", "nich": "p", "im": "p", "nimi": "p",
}  # fmt: skip
_NOMINATIVE = frozenset({"on", "ona"})
_THIS = regex(r"\b(?:t(?:en|a|o|ego|ej|emu|ym|e|ych)|tamt\w+|tak(?:i|a|ie|iego|iej)) (\w+)")
_THERE = regex(r"\b(?:tam|tamtejsz\w+|stamtad|tutaj|tu)\b")
_LED = regex(r"^(?:(?:no|ok|okej|dobra|super|aha|hmm|dobrze|fajnie)[,.! ]+)*(?:a|i|oraz)\b")
_MORE = regex(r"\b(?:jeszcze|tez|rowniez|takze)\b")
_DENIES = regex(r"^(?:\w+[,. ]+)?nie\b|\bnie (?:o|ten|ta|to|te|tego|tej)\b|\bmia\w+ (?:byc|na)\b")
_LIVING = regex(
    r"\b(?:pochow\w+|urodzil\w*|zmarl\w*|umarl\w*|zgin\w+|zyje|zyl[aio]?|zon[aey]?|maz|mez\w+|dzieci|"
    r"ozenil\w*|wyszla|studiowal\w*|ksztalcil\w*|nobla|oscar\w*|napisal\w*|namalowal\w*|gral\w*|"
    r"skomponowal\w*|dostal\w*|nagrod\w+|mieszkal\w*|pochodzil\w*|odkryl\w*|wynalazl\w*|ile lat|"
    r"miala? (?:\w+ )?lat|"
    r"corka|corki|syn\w*|brat\w*|siostr\w+|rodzic\w+|ojciec|matka|pracowal\w*|uczyl\w*)\b"
)
_OF_PLACES = regex(
    r"\b(?:mieszkanc\w+|ludnosc\w*|ludzi|osob|lez[ya]\w*|powierzchni\w+|dojech\w+|zwiedz\w+|"
    r"burmistrz\w*|prezydent\w*|herb\w*|jezyk\w*|walut\w+|metro|wysok\w+|glebok\w+|dlug\w+)\b"
)
_QUESTIONS = regex(
    r"\b(kto|kogo|komu|kim|kiedy|gdzie|skad|ile|ilu|jak|jaki\w*|jaka|ktor\w+|co|czym|czego|czy|"
    r"dlaczego|czemu|po co|od kiedy)\b"
)
_ALIKE = {
    "kogo": "kto", "komu": "kto", "kim": "kto", "ilu": "ile", "czym": "co", "czego": "co",
    "jaka": "jaki", "czemu": "dlaczego", "od kiedy": "kiedy", "skad": "gdzie",
}  # fmt: skip
_KINDS_BEFORE = {
    "praet": "verb", "fin": "verb", "imps": "verb", "prep": "prep", "conj": "conj", "subst": "noun",
    "adj": "adjective", "ppas": "adjective",
}  # fmt: skip
_DETERMINERS = frozenset({"ten", "ta", "to", "te", "tego", "tej", "tym"})
_FAR = 4  # words before a name
_SHORTEST = 4
_SIZES = (2, 4, 7, 12)
_SPOKEN = regex(r"(?:ę|m|sz|my|cie)$")
_SPEAKERS = ("lem", "lam", "les", "las")
_CROSSED = frozenset({
    "topic0", "told0", "only0", "first0", "retold0", "asked0", "detected", "mentioned", "own",
    "span0", "clue", "topic1", "name", "pronoun", "own!", "said!", "weather", "picture",
    "kin_adjective", "kin_place", "kin_family", "kin_head", "kin_kind", "phrase",
    "picked", "certain", "meant",
})  # fmt: skip


def read_signs(
    scene: Scene, picked: Picked | None
) -> tuple[tuple[Candidate, ...], tuple[Signs, ...]]:
    """Return what the prompt may be about, and the signs of each.

    Args:
        scene: The prompt and its conversation.
        picked: What the rules take for it, if they do.
    """
    candidates = find_candidates(scene, picked)
    asked = tuple(_of_prompt(scene, candidates))
    fits = read_fits(scene, candidates)
    signs = ((*_of(scene, one, asked), *fit) for one, fit in zip(candidates, fits, strict=True))
    return candidates, tuple(signs)


def _of(scene: Scene, one: Candidate, asked: Sequence[str]) -> Iterator[str]:
    """Give the signs of a candidate, those of how it came up crossed with those of the prompt."""
    own = tuple(_own(scene, one))
    agreement = tuple(_agreement(scene, one))
    sources = {*one.sources, "own!" if one.words else "said!"}
    yield from sorted(sources)
    yield f"kind={one.kind}"
    yield from own
    yield from agreement
    crossed = sorted(sources & _CROSSED)
    for source in crossed:
        yield from (f"{source}&{sign}" for sign in (*asked, *own, *agreement, f"kind={one.kind}"))
    for sign in asked:
        yield f"kind={one.kind}&{sign}"


def _of_prompt(scene: Scene, candidates: Sequence[Candidate]) -> Iterator[str]:
    """Give the signs of the prompt and of what stands before it."""
    folded = scene.folded
    yield f"size={sum(scene.size > size for size in _SIZES)}"
    yield f"asks={_question(folded)}"
    patterns = {
        "there": _THERE, "led": _LED, "more": _MORE, "denies": _DENIES, "living": _LIVING,
        "of_places": _OF_PLACES,
    }  # fmt: skip
    yield from (name for name, pattern in patterns.items() if pattern.search(folded))
    wanted = _wanted(scene)
    yield f"pronoun={wanted or 'none'}"
    if any(word.folded in _NOMINATIVE for word in scene.words):
        yield "personal"
    if (this := _THIS.search(folded)) is not None:
        yield "this" if readings_of(this[1]) else "this_strange"
    if lacks_subject(scene.text):
        yield "lacks_subject"
    if read_contrast(scene.text):
        yield "contrast"
    yield "own_subject" if own_subject(scene.text) is not None else "no_subject"
    if any(one.sources & {"mentioned", "own"} for one in candidates):
        yield "names"
    if any(source.startswith("kin_") for one in candidates for source in one.sources):
        yield "has_kin"
    last = scene.state.last
    if last is not None:
        yield f"before={_question(fold(last.prompt))}"
        if last.reply.rstrip().endswith("?"):
            yield "answers"
        fresh = sum("told0" in one.sources for one in candidates)
        yield f"fresh={min(fresh, 2)}"
    topic = next((one for one in candidates if "topic0" in one.sources), None)
    yield f"topic={topic.kind if topic else 'none'}"
    active = (name for name in (WIKIPEDIA, WEATHER, MATHEMATICS, IMAGE) if scene.is_active(name))
    yield f"active={next(active, 'none')}"


def _question(folded: str) -> str:
    found = _QUESTIONS.search(folded)
    if found is None:
        return "none"
    word = "ktory" if found[1].startswith("ktor") else found[1]
    return _ALIKE.get(word, "jaki" if word.startswith("jaki") else word)


def _own(scene: Scene, one: Candidate) -> Iterator[str]:
    """Give how a candidate stands in the prompt."""
    if not one.words:
        return
    first = one.words[0]
    before = [word for word in scene.words if word.end <= first.start]
    after = [word for word in scene.words if word.start >= one.words[-1].end]
    content = [word for word in before if word.text[0].isalnum()]
    yield f"own_after={min(len(content), _FAR)}"
    if content and _LED.fullmatch(" ".join(word.folded for word in content)):
        yield "own_led"
    if before and before[-1].folded in PREPOSITIONS:
        yield from ("own_bound", f"own_bound={before[-1].folded}")
    if before and before[-1].folded in _DETERMINERS:
        yield "own_this"
    if not any(word.text[0].isalnum() for word in after):
        yield "own_last"
    yield "own_capital" if first.is_capitalised and content else "own_small"
    if len(one.words) > 1:
        yield "own_long"
    if one.name[:1].isupper() and is_first_name(one.name.split(" ", 1)[0]):
        yield "own_person"
    if first.folded in _PRONOUNS:
        yield "own_pronoun"
    yield from _own_readings(first)


def _own_readings(first: Span) -> Iterator[str]:
    """Give what the dictionary says of the first word of a candidate."""
    readings = readings_of(first.text)
    if not readings:
        yield "own_strange"
        return
    lemmas = {reading.lemma.lower() for reading in readings}
    yield "own_nom" if any("nom" in one.cases for one in readings) else "own_oblique"
    if not any(reading.is_nominal for reading in readings):
        yield "own_no_noun"
    if lemmas & ASKED:
        yield "own_asked"
    if lemmas & CATEGORIES:
        yield "own_category"
    if all(reading.lemma.islower() for reading in readings):
        yield "own_common"


def has_pronoun(scene: Scene) -> bool:
    """Return whether a pronoun of the singular stands in a prompt: "kim był jej mąż?"."""
    return _wanted(scene) not in {"", "p"}


def _wanted(scene: Scene) -> str:
    """The genders that pronouns of the prompt ask for, as letters; "p" is the plural."""
    found = [_PRONOUNS[word.folded] for word in scene.words if word.folded in _PRONOUNS]
    return found[0] if found else ""


def _agreement(scene: Scene, one: Candidate) -> Iterator[str]:
    """Give whether a candidate agrees with pronouns and verbs, and is spoken of besides."""
    genders = _genders(one)
    wanted = _wanted(scene)
    if wanted and genders:
        yield "agrees" if set(wanted) & genders else "clashes"
    told = _told(scene.words) or _predicated(scene.words)
    if told and genders:
        yield "verb_agrees" if told & genders else "verb_clashes"
    is_many = _is_many(scene.words)
    if is_many is not None and genders:
        own = _numbers(one.words) if one.words else {"p" in genders}
        yield "number_agrees" if is_many in own else "number_clashes"
    if not one.words and any(
        len(word.text) >= _SHORTEST and shares_word(one.name, word.text) for word in scene.words
    ):
        yield "in_prompt"
    if " " in one.name:
        yield "long_name"
    last = scene.state.last
    if last is not None and any(source.startswith("told") for source in one.sources):
        yield from _told_after(last.reply, one.name)


def _told_after(reply: str, name: str) -> Iterator[str]:
    """Give what stands before a name in a reply, and whether it ends its sentence."""
    found = next((one for one in find_mentions(reply) if one.name == name), None)
    if found is None:
        return
    before = split_words(reply[: found.start])
    after = reply[found.end :].lstrip('”" ')
    kinds = {one.pos for one in readings_of(before[-1].text)} if before else set[str]()
    yield f"told_after={_KINDS_BEFORE.get(min(kinds), 'other') if kinds else 'none'}"
    if before and before[-1].folded in {"to", "jest", "byl", "byla", "sa", "zespol"}:
        yield "told_as_answer"
    if after[:1] in {"", "."}:
        yield "told_last"


def _genders(one: Candidate) -> frozenset[str]:
    """The genders that a name has, "p" where it is a plural; none where nobody knows."""
    if one.kind == "person":
        gender = one.gender or gender_of(one.name)
        return frozenset({gender}) if gender else frozenset()
    for word in split_words(one.name):
        found = {
            "p" if number == "pl" else gender[0]
            for reading in morphology().readings(word.text)
            if reading.pos in {"subst", "ger"} and "nom" in reading.cases
            for gender in reading.genders
            for number in reading.numbers
        }
        if found:
            return frozenset(found)
    return frozenset()


def _numbers(words: Sequence[Span]) -> set[bool]:
    """Whether words of the prompt may be a plural, as a nominative."""
    return {
        number == "pl"
        for reading in readings_of(words[0].text)
        if "nom" in reading.cases
        for number in reading.numbers
    }


def _is_many(words: Sequence[Span]) -> bool | None:
    """Whether a verb of the present says something of several; ``None``: there is none."""
    if any(word.folded in {"kto", "co"} for word in words):
        return None
    for word in words:
        readings = readings_of(word.text)
        if readings and {one.pos for one in readings} == {"fin"} and not _SPOKEN.search(word.text):
            return any("pl" in one.numbers for one in readings)
    return None


def _predicated(words: Sequence[Span]) -> frozenset[str]:
    """The genders of an adjective that no noun follows: "długa jest?"."""
    for at, word in enumerate(words):
        readings = readings_of(word.text)
        if not readings or {one.pos for one in readings} != {"adj"}:
            continue
        after = [one for one in words[at + 1 : at + 2] if one.text[0].isalpha()]
        if any(one.pos == "subst" for other in after for one in readings_of(other.text)):
            continue
        return frozenset(
            "p" if number == "pl" else gender[0]
            for one in readings
            if "nom" in one.cases
            for gender in one.genders
            for number in one.numbers
        )
    return frozenset()


def _told(words: Sequence[Span]) -> frozenset[str]:
    """The genders of past verbs of which nobody speaks as of himself; none after "kto"."""
    if any(word.folded in {"kto", "co"} for word in words):
        return frozenset()
    return frozenset(
        "p" if number == "pl" else gender[0]
        for word in words
        if not word.folded.endswith(_SPEAKERS)
        for reading in readings_of(word.text)
        if reading.pos == "praet"
        for gender in reading.genders
        for number in reading.numbers
    )
