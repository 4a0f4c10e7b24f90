"""Take greetings, politeness and closing remarks off a request, so that its core remains."""

import re

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly

_OPENINGS = regex(
    r"^(?:(?:hej(?:ka)?|czesc|siem(?:a|ka)|witam|witaj|dzien dobry|dobry wieczor|halo|elo|ej|no|"
    r"szanown\w+ (?:panstwo|panie|pani)|(?:uprzejmie |bardzo )?prosze (?:o informacje|podac)|"
    r"poprosze|uprzejmie|kurde|kurcze|"
    r"ok|okej|dobra|dobrze|super|swietnie|dzieki|dziekuje|prosze|sluchaj|wiesz|wiesz moze|"
    r"mam pytanie|szybkie pytanie|pytanie|a|to|teraz|jeszcze|bardzo|ci|mi|cie|"
    r"czy (?:moglbys|moglabys|mozesz|mozna|wiesz|potrafisz|umiesz)|moglbys|moglabys|mozesz|"
    r"mozecie|potrafisz|umiesz|chce|chcial(?:bym|abym)|(?:chce )?wiedziec|sie dowiedziec|"
    r"dowiedziec sie|ciekawi mnie|interesuje mnie|powiedz|powiesz|wytlumacz|wyjasnij|podpowiedz|"
    r"powiedziec|wyjasnic|pokaz|napisz|podaj|podasz|sprawdz|sprawdzic|przypomnij|zdradz|"
    r"zastanawiam sie|nie wiem|nie pamietam)"
    r"(?:\s*[,:!.–-]+\s*|\s+))"
)
_CLOSINGS = regex(
    r"(?:[\s,.!?;:–-]+(?:prosze(?: cie| bardzo)?|poprosze|dzieki(?: wielkie)?|"
    r"(?:z gory )?dziekuje(?: z gory| bardzo)?|z gory dzieki|pl[sz]|plis|please|jesli mozesz|"
    r"jak mozesz|ok|pilne|odpowiedz krotko|krotko|w skrocie|w (?:dwoch|kilku|paru|jednym|trzech) "
    r"zdani\w+|po polsku|swoimi slowami|tak naprawde|xd+|lol|tak encyklopedycznie|wlasciwie|"
    r"bo nie wiem|bo nie pamietam|[:;]-?[)dp]+)"
    r"|\s*,\s*(?:dobrze|dobra|okej|zgoda|hej|czesc|pa)(?=[\s.!?)]*$))+[\s.!?)]*$"
)
_ON_TEXT = regex(
    r"(?:przeloz|(?:prze)?tlumacz)(?:cie|ysz|yc)?\b(?: \w{1,20}){0,4}?"
    r"(?: na (?:\w+sk\w*)|\s*[:„\"«“])|"
    r"jak (?:\w{1,20} ){0,3}po (?!polsk)\w{3,14}[sc]ku\b[^.?!:]*[?. ]*$|"
    r"po (?!polsk)\w{3,14}[sc]ku ?[:„\"]|"
    r"(?:translate|rewrite|rephrase|proofread|make (?:it|this) sound)\b|"
    r"(?:popraw|skoryguj|zredaguj|przeredaguj|sparafrazuj|przeformuluj|odmien|przerob|przepisz|"
    r"stresc|skroc|wstaw przecinki|odpisz)\b[^:„\"«“]*[:„\"«“]|"
    r"o (?:(?:prze)?tlumaczen|poprawien|skorygowan|korekt|sparafrazowan|przepisan)\w+ "
    r"[^:„\"«“]*[:„\"«“]"
)
_TRANSLATED = regex(
    r"(?:^|[\s,:;.!–-])(?:(?:prze)?tlumacz(?:cie|ysz|yc)?|przeloz(?:cie|ysz|yc)?)\b[^„\"«“]{0,40}"
    r"[„\"«“][^”\"»]{1,400}[”\"»]\W*$"
)
"""An order to translate what is quoted after it, whatever was said before."""

_ON_ARTICLE = regex(r"\w+ (?:mi )?(?:haslo|artykul|strone|wpis)\b.{0,80}\bwiki", re.DOTALL)
_EDGES = " \t\n.,;:!?…-–—"


def strip_closing(text: str) -> str:
    """Remove thanks, pleas and marks at the end."""
    while found := _CLOSINGS.search(fold_evenly(text)):
        if found.start() == 0:
            break
        text = text[: found.start()]
    return text.rstrip(_EDGES)


def strip_opening(text: str) -> str:
    """Remove greetings and polite beginnings, one after the other."""
    while (found := _OPENINGS.match(fold_evenly(text))) and found.end() < len(text):
        text = text[found.end() :]
    return text


def is_on_text(prompt: str) -> bool:
    """Whether a text is to be worked on: what "Popraw interpunkcję: …" quotes asks for nothing.

    "Streść hasło „Układ Słoneczny” z Wikipedii" brings no text: it asks for the article.
    """
    folded = fold_evenly(strip_opening(prompt.lstrip()))
    if _TRANSLATED.search(folded) is not None:
        return True
    return _ON_TEXT.match(folded) is not None and _ON_ARTICLE.match(folded) is None
