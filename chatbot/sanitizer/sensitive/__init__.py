"""Sensitive content: personal numbers, addresses, an operator's words; found, masked or refused."""

from chatbot.sanitizer.sensitive.card import card
from chatbot.sanitizer.sensitive.detector import Detector, Span
from chatbot.sanitizer.sensitive.email import email
from chatbot.sanitizer.sensitive.expression import expression
from chatbot.sanitizer.sensitive.iban import iban
from chatbot.sanitizer.sensitive.pesel import pesel
from chatbot.sanitizer.sensitive.phone import phone
from chatbot.sanitizer.sensitive.rule import Action, Direction, Rule
from chatbot.sanitizer.sensitive.screen import Screen, screen_text
from chatbot.sanitizer.sensitive.words import words

__all__ = [
    "Action",
    "Detector",
    "Direction",
    "Rule",
    "Screen",
    "Span",
    "card",
    "email",
    "expression",
    "iban",
    "pesel",
    "phone",
    "screen_text",
    "words",
]
