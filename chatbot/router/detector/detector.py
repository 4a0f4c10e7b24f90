"""Decide without a model which tools a prompt asks for, and read their arguments from it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from types import MappingProxyType

from chatbot.language.patterns import regex
from chatbot.router.detector.asked_articles import asks_article, consults
from chatbot.router.detector.asked_forecasts import asked_forecasts, names_forecast
from chatbot.router.detector.calls import DetectedCall, adds_to, completed
from chatbot.router.detector.certainty import (
    is_plain_forecast,
    read_plain_formula,
    read_plain_weather,
)
from chatbot.router.detector.classifier import Classifier, packaged_classifier
from chatbot.router.detector.clauses import (
    are_alike,
    is_corrected,
    is_order,
    is_request,
    orders_text,
    split_clauses,
)
from chatbot.router.detector.computing import (
    has_known_words,
    is_label,
    is_plain_sum,
    names_operation,
    read_expressions,
)
from chatbot.router.detector.editions import read_language
from chatbot.router.detector.formulas import read_formula, read_formulas
from chatbot.router.detector.formulas.conversions import is_between_systems
from chatbot.router.detector.formulas.notated import is_notated
from chatbot.router.detector.formulas.refusals import asks_for_no_result
from chatbot.router.detector.formulas.stories import read_story
from chatbot.router.detector.framing import is_on_text
from chatbot.router.detector.mistyping import as_meant
from chatbot.router.detector.picture import asks_for_other, read_descriptions
from chatbot.router.detector.place_facts import asks_place_fact
from chatbot.router.detector.places import find_places
from chatbot.router.detector.plugins import most_alike, read_arguments
from chatbot.router.detector.quotes import part
from chatbot.router.detector.services import is_for_other
from chatbot.router.detector.spans import fold_evenly, split_words
from chatbot.router.detector.topic import read_topics
from chatbot.router.detector.weather import read_weather
from chatbot.router.detector.wishes import Wishes
from chatbot.router.detector.withdrawals import without_withdrawn
from chatbot.types import JsonObject, JsonValue, ToolSpec

FUNCTIONS: Mapping[str, str] = MappingProxyType({
    "weather": "get_weather",
    "mathematics": "calculate",
    "wikipedia": "search_wikipedia",
    "image": "generate_image",
})
"""The built-in function of each class that the classifier knows."""

__all__ = ["DetectedCall", "Detection", "Detector"]

_OF_EACH_KIND = (
    "Jaka będzie jutro pgoda w Łodzi?",  # a slip, so that all dictionaries are looked up
    "Ile to jest 12% z 350?",
    "Kupiłem 4 zeszyty po 3 zł i zostało mi 8 zł. Ile miałem?",
    "Kim był Józef Bem?",
    "Narysuj kota na dachu.",
    "Opowiedz dowcip.",
)

MOST_CALLS = 8
_MOST_CLAUSES = 2 * MOST_CALLS
LONGEST = 4_000
"""Characters of a prompt that are read; the router cuts earlier."""

SURE = 0.5
"""A class less likely than this is not chosen: the default model answers."""

PLAIN = 0.9
"""How likely the class of a plain request must be, so that no model is asked."""

NEXT_TO_CERTAIN = 0.97
"""From here on harmless words may stand in a plain question about the weather."""

FITS = 0.5
MISFITS = 0.002
"""A class this likely confirms a choice of tools; one this unlikely, beside one of `CLEAR`, refutes
it."""

CLEAR = 0.95

_IN_PART = 0.2
_ALIKE = 0.5
_VERY_ALIKE = 0.7
_WORTH_READING = 0.1
_WITH_FORMULA = 0.3
_WITHOUT_FORMULA = 0.65
_WITHOUT_PLACE = 0.8
_PLAINLY_WEATHER = 0.3
_ASKED_FORECAST = 0.85
_NONE = "none"
_DATE = regex(r"\b(?:19|20)\d\d-\d\d-\d\d\b")
_COUNTING = regex(r"(?:(?:po |o )?il[eu]|jak\w{1,3}|co to za (?:liczb|kwot|wynik)\w*)\b")


@dataclass(frozen=True, kw_only=True, slots=True)
class Detection:
    """What was detected; no calls mean the default model. ``confidence`` is a probability."""

    calls: tuple[DetectedCall, ...]
    confidence: float


class Detector:
    """A small classifier with rules; deterministic, immutable, safe in threads, no model."""

    def __init__(self, classifier: Classifier) -> None:
        """Take a trained classifier."""
        self._classifier = classifier
        self._wishes = Wishes(classifier.probabilities, self._label)
        self._built_in = lru_cache(maxsize=16)(self._detect_built_in)
        self._readers: Mapping[str, Callable[[str, date | None], list[JsonObject]]] = {
            "weather": lambda prompt, today: list(read_weather(prompt, today=today)),
            "wikipedia": lambda prompt, _: [
                _only("query", topic) | _only("language", read_language(prompt))
                for topic in read_topics(prompt) or (None,)
            ],
            "image": lambda prompt, _: [
                _only("description", told) for told in read_descriptions(prompt) or (None,)
            ],
        }

    @classmethod
    def load(cls) -> "Detector":
        """Load what is packaged by reading a prompt of each kind (a second), so that none waits."""
        loaded = cls(packaged_classifier())
        for prompt in _OF_EACH_KIND:
            loaded._built_in(as_meant(prompt), frozenset(FUNCTIONS.values()), None)
        return loaded

    def detect(
        self, prompt: str, tools: Sequence[ToolSpec], *, today: date | None = None
    ) -> Detection:
        """Detect which of ``tools`` the prompt asks for; no other is ever chosen.

        Args:
            prompt: What the user wrote.
            tools: The tools on offer; those without a class of their own join by their examples.
            today: Makes dates without a year and distances in days ISO dates.
        """
        prompt = without_withdrawn(as_meant(prompt[:LONGEST]))
        offered = frozenset(spec.name for spec in tools)
        others = [spec for spec in tools if spec.name not in FUNCTIONS.values()]
        shares = self._classifier.probabilities(prompt)
        built_in = {
            label: share for label, share in shares.items() if FUNCTIONS.get(label) in offered
        }
        is_built_in = max(built_in.values(), default=0.0) > shares[_NONE]
        plugin = self._detect_plugin(prompt, others, today, is_built_in=is_built_in)
        if plugin is not None:
            return plugin
        return self._built_in(prompt, offered, today)

    def _detect_built_in(
        self, prompt: str, offered: frozenset[str], today: date | None
    ) -> Detection:
        shares = self._classifier.probabilities(prompt)
        label = self._label(prompt, shares)
        is_mixed = label == _NONE and max(shares, key=lambda each: shares[each]) != _NONE
        if is_mixed or label != _NONE:
            calls = self._several(prompt, today)
        else:
            calls = self._beside_text(prompt, today)
        if not calls and label != _NONE:
            calls = self._calls(label, prompt, today)
        allowed = tuple(call for call in calls if call.name in offered)[:MOST_CALLS]
        return Detection(calls=allowed, confidence=shares[label])

    def probabilities(self, prompt: str) -> Mapping[str, float]:
        """Return how likely each class is for the prompt alone."""
        return self._classifier.probabilities(prompt[:LONGEST])

    def sure(
        self, prompt: str, tools: Sequence[ToolSpec], *, today: date | None = None
    ) -> tuple[DetectedCall, ...] | None:
        """Return the whole call of a plain request, so that no model need be asked; else ``None``.

        Only mathematics and the weather, and only where every word of the prompt is accounted
        for: one formula, or one known place and a clear day. Arguments are as in `detect`.
        """
        others = [spec for spec in tools if spec.name not in FUNCTIONS.values()]
        alike = most_alike(prompt[:LONGEST], others)
        if alike is not None and alike.value >= _ALIKE:
            return None
        shares = self._classifier.probabilities(prompt[:LONGEST])
        label = max(shares, key=lambda each: shares[each])
        if shares[label] < PLAIN or FUNCTIONS.get(label) not in {spec.name for spec in tools}:
            return None
        if is_for_other(prompt[:LONGEST], label):
            return None
        match label:
            case "mathematics":
                found = read_plain_formula(prompt)
            case "weather":
                is_likely = shares[label] >= NEXT_TO_CERTAIN
                found = read_plain_weather(prompt, today=today, is_likely=is_likely)
            case _:
                found = None
        return None if found is None else (DetectedCall(name=FUNCTIONS[label], arguments=found),)

    def agrees(self, prompt: str, tools: Sequence[ToolSpec], names: frozenset[str]) -> bool | None:
        """Say whether a choice of tools fits the prompt; ``None`` where that is unclear.

        Args:
            prompt: What the user wrote.
            tools: The tools on offer.
            names: What was chosen; empty for the default model.
        """
        prompt = prompt[:LONGEST]
        known = {name: label for label, name in FUNCTIONS.items()}
        others = [spec for spec in tools if spec.name not in known]
        alike = most_alike(prompt, others)
        if names - known.keys() or (alike is not None and alike.value >= _ALIKE):
            return None
        chosen = frozenset(known[name] for name in names) or frozenset({_NONE})
        shares = self._classifier.probabilities(prompt)
        best = max(shares, key=lambda label: shares[label])
        if best in chosen:
            return True if shares[best] >= FITS else None
        is_offered = best == _NONE or FUNCTIONS[best] in {spec.name for spec in tools}
        if not is_offered or shares[best] < CLEAR or max(shares[each] for each in chosen) > MISFITS:
            return None
        return None if self._is_in_part(prompt, chosen) else False

    def _is_in_part(self, prompt: str, labels: frozenset[str]) -> bool:
        """Whether a clause of a prompt of several asks for one of the labels."""
        clauses = split_clauses(prompt)
        shares = [self._classifier.probabilities(each) for each in clauses if len(clauses) > 1]
        return any(each[label] >= _IN_PART for each in shares for label in labels - {_NONE})

    def _label(self, prompt: str, shares: Mapping[str, float]) -> str:
        best = max(shares, key=lambda label: shares[label])
        if is_on_text(prompt) or is_for_other(prompt, best):
            return _NONE
        if best == "image" and asks_for_other(prompt):
            return _NONE
        if self._is_article(prompt, best, shares[best]):
            return "wikipedia"
        if best == "mathematics" and is_label(prompt):
            return _NONE
        if best in {"mathematics", _NONE} and is_between_systems(prompt):
            return _NONE
        likely = self._with_place(prompt, shares, best if shares[best] >= SURE else _NONE)
        label = self._with_formula(prompt, shares, likely)
        is_open = label == _NONE and best in {_NONE, "wikipedia"}
        is_asked = is_open and asks_article(prompt, shares["wikipedia"]) and read_topics(prompt)
        return "wikipedia" if is_asked else label

    def _is_article(self, prompt: str, best: str, share: float) -> bool:
        """Whether a fact of a place is asked for that looks like weather, or where to look."""
        if best in {"weather", _NONE} and asks_place_fact(prompt) and find_places(prompt):
            return True
        is_open = share < PLAIN and best != "image"
        return is_open and consults(prompt) and bool(read_topics(prompt))

    def _with_place(self, prompt: str, shares: Mapping[str, float], likely: str) -> str:
        """Let a place, a plain question or a pasted text decide whether it is the weather."""
        share = shares["weather"]
        if likely == _NONE:
            return "weather" if self._asks_forecast(prompt, share) else likely
        if likely != "weather" or share >= _WITHOUT_PLACE or find_places(prompt):
            return likely
        return likely if is_plain_forecast(prompt, is_likely=True) else _NONE

    def _asks_forecast(self, prompt: str, share: float) -> bool:
        """Whether a prompt that looks like none still asks for the weather, plainly or at last."""
        if is_for_other(prompt, "weather"):
            return False
        if share >= _PLAINLY_WEATHER and (
            names_forecast(prompt) or is_plain_forecast(prompt, is_likely=False)
        ):
            return True
        readings = map(self._classifier.probabilities, asked_forecasts(prompt))
        return any(each["weather"] >= _ASKED_FORECAST for each in readings)

    def _with_formula(self, prompt: str, shares: Mapping[str, float], likely: str) -> str:
        """Let a formula, or that there is none, decide whether mathematics is asked for."""
        share = shares["mathematics"]
        is_likely = likely == "mathematics"
        is_bare = is_likely and not has_known_words(prompt)
        is_sure = share >= _WITHOUT_FORMULA or names_operation(prompt)
        is_settled = is_likely and not is_bare and is_sure
        if is_settled and asks_for_no_result(part(prompt).own):
            return _NONE
        if is_settled or (share < _WORTH_READING and not is_notated(prompt)):
            return likely
        own = _DATE.sub(" ", part(prompt).own)
        formula = read_formula(own) or next(iter(read_formulas(own)), None)
        formula = formula or read_story(own, None, is_part=True)
        if formula is None:
            return _NONE if is_likely else likely
        least = _WORTH_READING if likely == _NONE else _WITH_FORMULA
        is_asked = share >= least or is_plain_sum(prompt, formula)
        return "mathematics" if is_asked else likely

    def _calls(
        self, label: str, prompt: str, today: date | None, *, is_part: bool = False
    ) -> tuple[DetectedCall, ...]:
        if label == "mathematics":
            found = read_expressions(prompt, is_part=is_part) or (None,)
            arguments: list[JsonObject] = [_only("expression", one) for one in found]
        else:
            arguments = self._readers[label](prompt, today)
        return tuple(DetectedCall(name=FUNCTIONS[label], arguments=each) for each in arguments)

    def _several(self, prompt: str, today: date | None) -> tuple[DetectedCall, ...]:
        """Read each clause on its own where at least two plainly ask for different things."""
        own = part(prompt).own
        if is_corrected(prompt):
            return ()
        ways = (way(own) for way in (split_clauses, self._wishes.parted))
        return next((found for way in ways if (found := self._of_each(prompt, way, today))), ())

    def _of_each(
        self, prompt: str, clauses: Sequence[str], today: date | None
    ) -> tuple[DetectedCall, ...]:
        if len(clauses) < 2 or not self._may_be_several(prompt, clauses):  # noqa: PLR2004 - one is all
            return ()
        asked = self._wishes.among(clauses[:_MOST_CLAUSES])
        labels = {label for _, label in asked}
        is_ordered = labels == {"mathematics"} and all(is_request(one) for one, _ in asked)
        is_alike = is_ordered or (labels == {"wikipedia"} and are_alike(clauses))
        if len(labels) < 2 and not is_alike:  # noqa: PLR2004 - two kinds
            return ()
        if self._classifier.probabilities(prompt)["mathematics"] >= PLAIN:
            asked = [one for one in asked if not _only_counts(*one)]
        is_open = labels <= {"mathematics", "wikipedia"}  # a story may ask in words of both
        calls: list[DetectedCall] = []
        for at, (clause, label) in enumerate(asked):
            told = " ".join(one for one, _ in asked[:at])
            for call in self._calls(label, clause, today, is_part=is_open):
                meant = completed(call, clause, calls, told)
                if meant.arguments and adds_to(meant, clause, calls):
                    calls.append(meant)
        is_listed = labels == {"mathematics"} and len(read_formulas(prompt)) > len(calls)
        return tuple(calls) if len(calls) > 1 and not is_listed else ()

    def _may_be_several(self, prompt: str, clauses: Sequence[str]) -> bool:
        """Whether a second tool is likely, or several clauses ask; cheap beside reading each."""
        is_of_several = sum(map(is_request, clauses)) > 1 or are_alike(clauses)
        return is_of_several or self._wishes.may_differ(prompt)

    def _beside_text(self, prompt: str, today: date | None) -> tuple[DetectedCall, ...]:
        """Read what is asked for besides a text: "napisz SMS-a i sprawdź, czy w Tychach …"."""
        clauses = split_clauses(part(prompt).own)
        if not orders_text(clauses[0]):
            return ()
        ordered = [one for one in self._wishes.among(clauses[1:]) if is_order(one[0])]
        if len(ordered) != 1:
            return ()
        clause, label = ordered[0]
        is_sure = label != "image" and self._classifier.probabilities(clause)[label] >= CLEAR
        found = self._calls(label, clause, today) if is_sure else ()
        return tuple(one for one in found if one.arguments)

    def _detect_plugin(
        self,
        prompt: str,
        others: Sequence[ToolSpec],
        today: date | None,
        *,
        is_built_in: bool,
    ) -> Detection | None:
        found = most_alike(prompt, others)
        if found is None or found.value < _ALIKE:
            return None
        if is_built_in and found.value < _VERY_ALIKE:
            return None
        arguments = read_arguments(prompt, found.spec, today=today)
        call = DetectedCall(name=found.spec.name, arguments=arguments)
        return Detection(calls=(call,), confidence=min(found.value, 1.0))


def _only_counts(clause: str, label: str) -> bool:
    """Whether a clause counts or seeks what has no name: "Ilu ich jest?", "jaka to liczba"."""
    has_name = any(word.text[:1].isupper() for word in split_words(clause)[1:])
    is_counting = _COUNTING.match(fold_evenly(clause)) is not None
    return label == "wikipedia" and is_counting and not has_name


def _only(name: str, value: str | None) -> dict[str, JsonValue]:
    return {} if value is None else {name: value}
