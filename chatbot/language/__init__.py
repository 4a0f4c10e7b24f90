"""Polish: morphology, names, numbers, days; pure functions over an immutable dictionary."""

from chatbot.language.countries import Country, country_of, find_country
from chatbot.language.days import (
    DAYS,
    format_date,
    name_day,
    read_day,
    resolve_day,
    say_date,
    say_day,
)
from chatbot.language.folding import fold
from chatbot.language.inflections import inflections
from chatbot.language.lemmas import lemmas, possible_lemmas
from chatbot.language.locatives import in_place, inflect_locative, of_place
from chatbot.language.morphology import Morphology, morphology
from chatbot.language.names import lemmatise
from chatbot.language.numerals import read_number
from chatbot.language.places import similar_places, town_names
from chatbot.language.plurals import format_number, plural
from chatbot.language.polish import is_polish
from chatbot.language.sentences import sentence_ends
from chatbot.language.voivodeships import VOIVODESHIPS, find_voivodeship, in_voivodeships

__all__ = [
    "DAYS",
    "VOIVODESHIPS",
    "Country",
    "Morphology",
    "country_of",
    "find_country",
    "find_voivodeship",
    "fold",
    "format_date",
    "format_number",
    "in_place",
    "in_voivodeships",
    "inflect_locative",
    "inflections",
    "is_polish",
    "lemmas",
    "lemmatise",
    "morphology",
    "name_day",
    "of_place",
    "plural",
    "possible_lemmas",
    "read_day",
    "read_number",
    "resolve_day",
    "say_date",
    "say_day",
    "sentence_ends",
    "similar_places",
    "town_names",
]
