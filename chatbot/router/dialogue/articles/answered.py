"""What a reply answered to a question for a kind: "ta rzeka" after "jaka rzeka tu płynie?"."""

from collections.abc import Iterator, Sequence

from chatbot.language.folding import fold
from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.router.detector.battles import battle_at
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, fold_evenly, split_words
from chatbot.router.dialogue.articles.name_kinds import BUILDINGS
from chatbot.router.dialogue.mentions import Mention, find_mentions, nouns_of, shares_word, topic_of
from chatbot.router.dialogue.naming import gender_of, is_person
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.turns import Turn

_ASKED = regex(
    r"\b(?:jak(?:i|a|ie|iego|iej|im)|ktor(?:y|a|e|ego|ej|ym)|nazywa(?:l\w?)? (?:sie )?t(?:en|a|o)) "
    r"(\w{3,})(?: (\w{3,}))?"
)
_THIS = regex(
    r"\b(?:t(?:en|a|o|ego|ej|emu|ym|e)|tamt(?:en|a|o|ego|ej|ym)|ow(?:a|o|ego|ej|ym)?) "
    r"(?:(?:sam|slynn|znan|wlasn)\w+ )?(\w{3,})"
)
_MEANT = regex(r"\bchodzi(?:ło)? o ((?:\w+ )?\w+)[,.(]")
_AT = regex(r"\b[Pp]od ([A-ZĆŁŚŹŻ][\w-]+(?: [A-ZĆŁŚŹŻ][\w-]+)?)")
_PRONOUNS = {
    "ona": "f", "jej": "f", "niej": "f", "nia": "f", "on": "m", "jego": "m", "niego": "m",
    "one": "p", "nich": "p", "nimi": "p",
}  # fmt: skip
_TURNS = 2
_VAGUE = frozenset({
    "rok", "sposob", "czas", "wiek", "dzien", "raz", "powod", "rodzaj", "okres", "moment", "cel",
    "liczba", "nazwa", "imie", "nazwisko", "kolor", "jezyk", "stopien", "miesiac", "wysokosc",
    "dlugosc", "powierzchnia", "glebokosc", "rola", "miejsce", "strona", "rozmiar", "wynik",
    "pogoda", "temperatura", "sam", "samo", "pierwszy", "ostatni", "drugi",
})  # fmt: skip
"""What is asked for by a number, a word or a description, never by a name."""

_KINDS = {
    "uczelnia": {"uniwersytet", "politechnika", "akademia", "szkola"},
    "swiatynia": {"kosciol", "katedra", "bazylika", "meczet", "synagoga", "kaplica", "cerkiew"},
    "okret": {"pancernik", "niszczyciel", "krazownik", "lotniskowiec", "torpedowiec", "orp"},
    "statek": {"parowiec", "zaglowiec", "prom", "transatlantyk", "orp", "ms"},
    "szczyt": {"gora"}, "gora": {"szczyt"}, "powiesc": {"ksiazka"}, "ksiazka": {"powiesc"},
    "druzyna": {"klub", "zespol"}, "grupa": {"zespol"}, "kapela": {"zespol"},
    "miejscowosc": {"miasto", "wies", "miasteczko"}, "budowla": {"palac", "zamek", "wieza", "most"},
}  # fmt: skip
"""Nouns that another noun stands for."""

_PREPOSITIONS = frozenset({"w", "we", "na", "pod", "nad"})
_BUILT = frozenset(map(fold, BUILDINGS))
_VENUES = frozenset({"stadion", "skocznia", "arena", "boisko", "tor", "obiekt", "hala", "kort"})


def answer_pointed_at(scene: Scene) -> str | None:
    """Return the name that the last replies gave under the noun which a prompt points at.

    The one that answered the question after such a thing ("w jakim klubie grał?", "ten klub"), one
    that begins with the noun ("ta wyspa"), the battle at the place of which was told. ``None``
    where the topic is itself called so.
    """
    topic = topic_of(scene) or ""
    for nouns in _pointed(scene):
        wider = nouns.union(*(_KINDS.get(noun, set()) for noun in nouns))
        if any(wider & nouns_of(word.text) for word in split_words(topic)):
            return None
        found = (_under(turn, wider) for turn in _latest(scene))
        if (name := next((one for one in found if one is not None), None)) is not None:
            return name
    return None


def answer_agreeing(scene: Scene) -> str | None:
    """Return the name of the last reply with which a pronoun agrees where the topic does not.

    "Do kogo ona należy?" after "na której wyspie zmarł Napoleon?", "z którego one są wieku?" after
    the only name that is a plural.
    """
    last, topic = scene.state.last, topic_of(scene)
    wanted = wanted_gender(scene)
    if last is None or wanted is None or (topic and not _clashes(topic, wanted)):
        return None
    if wanted == "p":
        return _only_many(last)
    asked = frozenset[str]().union(*map(genders_of, asked_for(last.prompt)))
    return _only_fresh(last) if wanted in asked else None


def _clashes(topic: str, wanted: str) -> bool:
    genders = frozenset({gender_of(topic) or ""}) if is_person(topic) else genders_of(topic)
    return bool(genders) and wanted not in genders


def genders_of(name: str) -> frozenset[str]:
    """Return the genders that the first noun of a name can have, "p" for a plural."""
    for word in split_words(name):
        found = {
            "p" if number == "pl" else gender[0]
            for one in readings_of(word.text)
            if one.pos == "subst" and "nom" in one.cases
            for gender in one.genders
            for number in one.numbers
        }
        if found:
            return frozenset(found)
    return frozenset()


def _only_many(turn: Turn) -> str | None:
    """The only name of a reply that is a plural, else such a thing that it says is meant."""
    named = find_mentions(turn.reply)
    many = {one.name for one in named if one.kind != "person" and genders_of(one.name) == {"p"}}
    if many or sum(one.kind == "person" for one in named) > 1:
        return next(iter(many)) if len(many) == 1 else None
    meant = _told_meant(turn.reply)
    return meant if meant and genders_of(meant) == {"p"} else None


def battle_fought(scene: Scene) -> str | None:
    """Return the battle whose place a prompt itself tells: "a pod Wiedniem kto dowodził?"."""
    return battle_at(scene.text)


def wanted_gender(scene: Scene) -> str | None:
    """Return the gender of the prompt's first pronoun of the third person, "p" of a plural."""
    pronouns = (_PRONOUNS[word.folded] for word in scene.words if word.folded in _PRONOUNS)
    return next(pronouns, None)


def asked_for(question: str) -> frozenset[str]:
    """Return the nouns, folded, of which a question asks which one it is: "na której wyspie"."""
    found = _ASKED.finditer(fold_evenly(question))
    words = ([question[slice(*one.span(at))] for at in (1, 2)] for one in found)
    nouns = (_nouns(first) or _nouns(second) for first, second in words)
    return frozenset[str]().union(*nouns) - _VAGUE


def _nouns(word: str) -> frozenset[str]:
    """The nouns, folded, that a word can be a form of, where it is no adjective."""
    readings = readings_of(word) if word.islower() else ()
    is_other = any(one.pos in {"adj", "ppas"} for one in readings)
    nouns = (fold(one.lemma) for one in readings if one.pos == "subst" and one.lemma.islower())
    return frozenset() if is_other else frozenset(nouns)


def _latest(scene: Scene) -> Iterator[Turn]:
    yield from reversed(scene.state.turns[-_TURNS:])


def _pointed(scene: Scene) -> Iterator[frozenset[str]]:
    """Give the common nouns at which the prompt points, each as its base forms."""
    for found in _THIS.finditer(scene.folded):
        said = scene.text[slice(*found.span(1))]
        if said.islower() and (nouns := _things(said) - _VAGUE):
            yield nouns


def _things(word: str) -> frozenset[str]:
    """The nouns, folded, that a word is a form of, where it says what a thing is."""
    nouns = [one for one in readings_of(word) if one.pos == "subst" and one.lemma.islower()]
    is_person = any("m1" in one.genders for one in nouns)
    return frozenset() if is_person else frozenset(fold(one.lemma) for one in nouns)


def _under(turn: Turn, nouns: frozenset[str]) -> str | None:
    """What an exchange tells of under one of these nouns, the prompt's or narrower ones."""
    told = _headed(turn.reply, nouns) or _placed(turn.reply, nouns) or _venue(turn, nouns)
    if told is not None:
        return told
    if nouns & asked_for(turn.prompt) and (name := _only_fresh(turn)) is not None:
        return name
    place = _AT.search(turn.reply) if "bitwa" in nouns else None
    return f"bitwa pod {place[1]}" if place else None


def _headed(text: str, nouns: frozenset[str]) -> str | None:
    """The name that begins with one of the nouns, or has it at once before it in apposition.

    "Planeta Układu Słonecznego" is a planet of that name's, none called so.
    """
    words = split_words(text)
    for one in find_mentions(text):
        own = [word for word in words if one.start <= word.start < one.end]
        if one.kind != "person" and len(own) > 1 and nouns & nouns_of(own[0].text):
            return one.name
        if one.kind in {"thing", "work"} and _is_apposed(words, one, nouns):
            return one.name
    return None


def _placed(text: str, nouns: frozenset[str]) -> str | None:
    """The building that a text tells with its place: "na zamku w Malborku"."""
    words = split_words(text)
    for word, after, name in zip(words, words[1:], words[2:], strict=False):
        is_placed = after.folded in _PREPOSITIONS and name.is_capitalised and word.text.islower()
        if is_placed and nouns & nouns_of(word.text) & _BUILT:
            place = next((one for one in find_mentions(text) if one.start == name.start), None)
            end = place.end if place is not None else name.end
            noun = lemmatise(word.text, kind="topic", preposition="na")
            return f"{noun} {text[after.start : end]}"
    return None


def _venue(turn: Turn, nouns: frozenset[str]) -> str | None:
    """The only name of no town after "na", where a place of games is meant: "na Wembley"."""
    if not nouns & _VENUES:
        return None
    words = split_words(turn.reply)
    found = {
        one.name
        for one in find_mentions(turn.reply)
        if one.kind == "thing" and [w.folded for w in words if w.end <= one.start][-1:] == ["na"]
    }
    return next(iter(found)) if len(found) == 1 else None


def _is_apposed(words: Sequence[Span], one: Mention, nouns: frozenset[str]) -> bool:
    """Whether a noun stands at once before a name, marks between them or not."""
    before = [word for word in words if word.end <= one.start and word.text[0].isalnum()][-1:]
    first = next((word for word in words if word.start >= one.start), None)
    return any(
        word.text.islower()
        and nouns & nouns_of(word.text)
        and (first is None or not _is_owner(word, first))
        for word in before
    )


def _is_owner(noun: Span, first: Span) -> bool:
    """Whether a name stands in the genitive behind a noun that does not."""
    cases = [
        frozenset(case for one in readings_of(word.text) for case in one.cases)
        for word in (noun, first)
    ]
    return cases[1] == {"gen"} and "gen" not in cases[0]


def _only_fresh(turn: Turn) -> str | None:
    """The only name, no person's, that only the reply has; else what it says is meant."""
    values = (str(value) for one in turn.calls for value in one.arguments.values())
    said = " ".join((turn.prompt, *values))
    asked = asked_for(turn.prompt)
    words = [word.text for word in split_words(said) if not asked & nouns_of(word.text)]
    mentions = find_mentions(turn.reply)
    named = (one.name for one in mentions if one.kind != "person" or " " not in one.name)
    fresh = dict.fromkeys(
        name for name in named if not any(shares_word(name, word) for word in words)
    )
    if fresh:
        return next(iter(fresh)) if len(fresh) == 1 else None
    return _told_meant(turn.reply) or _only_notion(turn.reply, said)


def _only_notion(reply: str, said: str) -> str | None:
    """The only common noun that a reply has and its question lacks: "wynalazł saksofon"."""
    known = frozenset[str]().union(*(nouns_of(word.text) for word in split_words(said)))
    words = [word.text for word in split_words(reply)]
    fresh = [word for word in words if (nouns := _nouns(word)) and not nouns & known]
    return lemmatise(fresh[0], kind="topic", preposition="przez") if len(fresh) == 1 else None


def _told_meant(reply: str) -> str | None:
    """What a reply says that is meant: "pewnie chodzi o dudy podhalańskie"."""
    told = _MEANT.search(reply)
    return lemmatise(told[1], kind="topic", preposition="przez") if told else None
