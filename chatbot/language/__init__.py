"""Polish: morphology, names, numbers, days; pure functions over an immutable dictionary."""

from chatbot.language.days import DAYS, format_date, name_day, read_day, resolve_day, say_day
from chatbot.language.folding import fold
from chatbot.language.lemmas import lemmas
from chatbot.language.locatives import in_place, inflect_locative
from chatbot.language.morphology import Morphology, morphology
from chatbot.language.names import lemmatise
from chatbot.language.numerals import read_number
from chatbot.language.places import town_names
from chatbot.language.plurals import format_number, plural

__all__ = [
    "DAYS",
    "Morphology",
    "fold",
    "format_date",
    "format_number",
    "in_place",
    "inflect_locative",
    "lemmas",
    "lemmatise",
    "morphology",
    "name_day",
    "plural",
    "read_day",
    "read_number",
    "resolve_day",
    "say_day",
    "town_names",
]
