"""Words a finding for people: Markdown and plain text, with the source that it comes from."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import assert_never

from chatbot.tools.echo import echo
from chatbot.tools.wikipedia.formulas import close_formula, write_formulas
from chatbot.tools.wikipedia.languages import POLISH
from chatbot.tools.wikipedia.lookup import Choice, Finding, Lead, Nothing, Passage
from chatbot.tools.wikipedia.meanings import Meaning
from chatbot.tools.wikipedia.options import WikipediaSettings
from chatbot.tools.wikipedia.replies import Page
from chatbot.tools.wikipedia.sentences import cut_sentences
from chatbot.tools.wikipedia.tidying import tidy
from chatbot.tools.wikipedia.titles import base_title
from chatbot.types import Attribution, Entity, ToolResult

LICENCE = "CC BY-SA 4.0"
PARTIAL = "(Nie udało się teraz pobrać dalszej części artykułu.)"
QUESTION = "O które znaczenie chodzi?"
_MARKS = re.compile(r"([\\`*_\[\]<>|$~#&])")


class Answers:
    """Makes results for one call: ``query`` in the edition ``language``, asked at ``now``."""

    def __init__(
        self,
        settings: WikipediaSettings,
        *,
        link: Callable[[Page, str], str],
        query: str,
        language: str,
        now: datetime,
    ) -> None:
        """Keep what every answer needs; ``link`` gives the address of a page at an anchor."""
        self._settings = settings
        self._link = link
        self._query = query
        self._language = language
        self._now = now

    def word(self, finding: Finding) -> ToolResult:
        """The answer; choices and refusals are to be shown as they are."""
        match finding:
            case Lead():
                return self._word_lead(finding)
            case Passage():
                return self._word_passage(finding)
            case Choice():
                return self._word_choice(finding)
            case Nothing():
                return self._word_nothing(finding)
            case _:
                assert_never(finding)

    def _word_lead(self, found: Lead) -> ToolResult:
        title, text = found.page.title, self._cut(found.text)
        note = f"\n\n{PARTIAL}" if found.is_partial else ""
        if text.startswith(title):
            content = f"**{_escape(title)}**{_markdown(text[len(title) :])}"
        else:
            content = f"**{_escape(title)}**\n\n{_markdown(text)}"
        return ToolResult(
            content=content + note,
            plain=_plain(text) + note,
            attribution=(self._source(found.page),),
            state=_topic(title),
        )

    def _word_passage(self, found: Passage) -> ToolResult:
        title, text = found.page.title, self._cut(found.section.text)
        heading = f"{title} – {found.section.heading}"
        return ToolResult(
            content=f"**{_escape(heading)}**\n\n{_markdown(text)}",
            plain=f"{heading}\n\n{_plain(text)}",
            attribution=(self._source(found.page, found.section.anchor),),
            state=_topic(title),
        )

    def _word_choice(self, found: Choice) -> ToolResult:
        shown = found.meanings[: self._settings.meanings]
        name = base_title(found.page.title)
        said = f"Nazwa „{name}” ma kilka znaczeń."
        rest = len(found.meanings) - len(shown)
        more = f"\n\nTo nie wszystkie znaczenia (jeszcze {rest})." if rest else ""
        offers = "\n".join(_offer(one, f"**{_escape(one.title)}**", _escape) for one in shown)
        plain = "\n".join(_offer(one, one.title, str) for one in shown)
        return ToolResult(
            content=f"{_escape(said)}\n\n{offers}{more}\n\n{QUESTION}",
            plain=f"{said}\n\n{plain}{more}\n\n{QUESTION}",
            attribution=(self._source(found.page),),
            state=_topic(name),
            answer="verbatim",
        )

    def _word_nothing(self, found: Nothing) -> ToolResult:
        edition = "" if self._language == POLISH else f" ({self._language})"
        said = f"W Wikipedii{edition} nie ma hasła „{echo(self._query)}”."
        if found.suggestion:
            said += f" Czy chodzi o „{echo(found.suggestion)}”?"
        else:
            said += " Sprawdź pisownię albo podaj pełną nazwę."
        return ToolResult(content=_escape(said), plain=said, answer="verbatim")

    def _cut(self, extract: str) -> str:
        text = tidy(extract)
        limits = self._settings
        return close_formula(
            cut_sentences(text, count=limits.sentences, max_chars=limits.max_chars)
        )

    def _source(self, page: Page, anchor: str = "") -> Attribution:
        return Attribution(
            source="Wikipedia",
            title=page.title,
            url=self._link(page, anchor),
            licence=LICENCE,
            retrieved_at=self._now,
        )


def _topic(value: str) -> tuple[Entity]:
    return (Entity(kind="topic", value=value),)


def _offer(meaning: Meaning, title: str, write: Callable[[str], str]) -> str:
    return f"- {title}{f' – {write(meaning.what)}' if meaning.what else ''}"


def _markdown(text: str) -> str:
    """Marked formulas for KaTeX, everything else so that Markdown shows the same."""
    return write_formulas(text, lambda tex: f"$${tex}$$", _escape)


def _plain(text: str) -> str:
    return write_formulas(text, str, str)


def _escape(text: str) -> str:
    return _MARKS.sub(r"\\\1", text)
