"""Sensitive content: personal numbers, addresses, an operator's words; found, masked or refused."""

from chatbot.sanitizer.sensitive.card import card
from chatbot.sanitizer.sensitive.detector import Detector, Span
from chatbot.sanitizer.sensitive.email import email
from chatbot.sanitizer.sensitive.expression import expression
from chatbot.sanitizer.sensitive.iban import iban
from chatbot.sanitizer.sensitive.pesel import pesel
from chatbot.sanitizer.sensitive.phone import phone
from chatbot.sanitizer.sensitive.rule import Action, Direction, Rule
from chatbot.sanitizer.sensitive.safety import BUILT_IN, OnFind, Safety
from chatbot.sanitizer.sensitive.screen import Screen, screen_text
from chatbot.sanitizer.sensitive.values import screen_json, screen_value
from chatbot.sanitizer.sensitive.words import words

__all__ = [
    "BUILT_IN",
    "Action",
    "Detector",
    "Direction",
    "OnFind",
    "Rule",
    "Safety",
    "Screen",
    "Span",
    "card",
    "email",
    "expression",
    "iban",
    "pesel",
    "phone",
    "screen_json",
    "screen_text",
    "screen_value",
    "words",
]
