"""Tests of the same event of another year."""

from datetime import date

import pytest
from scripted.needing_tools import TOOLS

from chatbot.router.detector import Detector
from chatbot.router.detector.detector import DetectedCall
from chatbot.router.dialogue import DialogueState
from chatbot.router.dialogue.articles.yearly import of_other_year
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.turns import Turn


def shifted(topic: str, prompt: str) -> str | None:
    """The topic of another year that a prompt asks for after one was looked up."""
    looked_up = DetectedCall(name="search_wikipedia", arguments={"query": topic})
    turn = Turn(prompt="Kto wygrał?", reply="Wygrał faworyt.", calls=(looked_up,))
    known = DialogueState(turns=(turn,), is_recalled=True)
    today = date(2026, 11, 18)
    return of_other_year(Scene(prompt, known, TOOLS, today=today, detector=Detector.load()))


@pytest.mark.parametrize(
    ("topic", "prompt", "other"),
    [
        ("Tour de Pologne 2014", "a cztery lata później?", "Tour de Pologne 2018"),
        ("Tour de Pologne 2014", "i rok wcześniej?", "Tour de Pologne 2013"),
        ("Tour de Pologne 2014", "a w 2018?", "Tour de Pologne 2018"),
        ("Wimbledon 2023", "a rok później u pań?", "Wimbledon 2024"),
        ("Eurowizja 2009", "a rok potem kto wygrał?", "Eurowizja 2010"),
        ("Turniej Skoczni 2000/2001", "A rok później?", "Turniej Skoczni 2001/2002"),
        ("Turniej Skoczni 2000/2001", "a w 2003?", "Turniej Skoczni 2002/2003"),
        ("Liga Mistrzów UEFA 2012/13", "a w następnym sezonie?", "Liga Mistrzów UEFA 2013/14"),
        ("Liga Mistrzów UEFA 1999/00", "a poprzedni sezon?", "Liga Mistrzów UEFA 1998/99"),
        ("Wybory w 2010 roku", "A 5 lat później?", "Wybory w 2015 roku"),
    ],
)
def test_a_yearly_event_is_moved_by_years(topic: str, prompt: str, other: str) -> None:
    assert shifted(topic, prompt) == other


@pytest.mark.parametrize(
    ("topic", "prompt"),
    [
        ("Powstanie styczniowe (1863)", "a rok później?"),
        ("Tour de Pologne", "a rok później?"),
        ("Tour de Pologne 2014", "a ile ma lat?"),
        ("Tour de Pologne 2014", "a co rok później robił Majka?"),
    ],
)
def test_other_topics_and_prompts_have_no_other_year(topic: str, prompt: str) -> None:
    assert shifted(topic, prompt) is None
