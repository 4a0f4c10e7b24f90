"""The tool `search_wikipedia`: finds an article, cuts its lead, links its revision."""

import re
from collections.abc import Sequence
from typing import Annotated

from pydantic import BeforeValidator, Field

from chatbot.errors import ToolError
from chatbot.tools.context import ToolContext
from chatbot.tools.echo import echo
from chatbot.tools.tool import tool
from chatbot.tools.wikipedia.options import WikipediaSettings
from chatbot.tools.wikipedia.sentences import cut_sentences
from chatbot.tools.wikipedia.site import Page, link, search
from chatbot.types import Attribution, Entity, JsonObject, Name, ToolResult

LICENCE = "CC BY-SA 4.0"
QUERY_LENGTH = 200
_MARKS = re.compile(r"([\\`*_\[\]<>|$~#&])")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z]{2,8})?")


def _read_language(value: object) -> str:
    """A language code; it becomes part of an address, so nothing else may pass."""
    code = str(value).strip().lower()
    if not _LANGUAGE.fullmatch(code):
        raise ValueError(
            f"„{echo(code, longest=40)}” nie jest kodem języka Wikipedii. "
            "Podaj na przykład „pl” albo „en”."
        )
    return code


def _summarise(arguments: JsonObject) -> str:
    language = arguments.get("language")
    return f"{arguments.get('query', '')}{'' if language in {None, 'pl'} else f' · {language}'}"


@tool(
    title="Wikipedia",
    key="wikipedia",
    examples=[
        "Kim była Irena Sendlerowa?",
        "Co to jest fotosynteza?",
        "Opowiedz mi o bitwie pod Grunwaldem",
        "kiedy urodzil sie mikolaj kopernik",
        "Znajdź w Wikipedii informacje o Kazimierzu Dolnym",
        "Z czego słynie Malbork?",
    ],
    settings=WikipediaSettings,
    answer="phrased",
    deadline_s=5.0,
    summary=_summarise,
)
def search_wikipedia(
    query: Annotated[
        str,
        Name("topic"),
        Field(
            max_length=QUERY_LENGTH,
            description="The name of the person, place, event or thing, in its base form, in the "
            "language of the encyclopedia; no question words.",
            json_schema_extra={"question": "O czym mam poszukać w Wikipedii?"},
        ),
    ],
    ctx: ToolContext[WikipediaSettings],
    language: Annotated[
        str,
        BeforeValidator(_read_language),
        Field(description="Language code; pl unless the user asks for another Wikipedia."),
    ] = "pl",
) -> ToolResult:
    """Facts from Wikipedia about a person, place, event, work, species or notion.

    Who somebody was, what something is, when or where it happened. Not for weather, computing,
    translations, opinions, advice, code, or writing and rephrasing texts.
    """
    found = search(ctx.session, ctx.settings, query, language)
    page = _choose(found)
    if page is None:
        edition = "" if language == "pl" else f" ({language})"
        raise ToolError(
            f"W Wikipedii{edition} nie ma hasła „{echo(query)}”. Podaj pełną nazwę albo inne słowa."
        )
    lead = cut_sentences(
        _tidy(page.extract), count=ctx.settings.sentences, max_chars=ctx.settings.max_chars
    )
    others = _others(found, page)
    return ToolResult(
        content=_markdown(lead, page.title) + _escape(others),
        plain=lead + others,
        attribution=(
            Attribution(
                source="Wikipedia",
                title=page.title,
                url=link(ctx.settings, page, language),
                licence=LICENCE,
            ),
        ),
        state=(Entity(kind="topic", value=page.title),),
    )


def _choose(found: Sequence[Page]) -> Page | None:
    """The best article with a lead; a page that only lists names is no answer."""
    articles = [p for p in found if p.extract.strip() and not p.is_disambiguation]
    return articles[0] if articles else None


def _others(found: Sequence[Page], chosen: Page) -> str:
    """Where the name has several meanings: the other articles, to choose from."""
    titles = [p.title for p in found if p is not chosen and not p.is_disambiguation]
    if not titles or not any(page.is_disambiguation for page in found):
        return ""
    return f"\n\nTa nazwa ma kilka znaczeń; inne artykuły: {', '.join(titles)}."


def _tidy(extract: str) -> str:
    lines = (" ".join(line.split()) for line in extract.splitlines())
    return "\n".join(line for line in lines if line)


def _markdown(lead: str, title: str) -> str:
    bold = f"**{_escape(title)}**"
    if lead.startswith(title):
        return bold + _escape(lead[len(title) :])
    return f"{bold}\n\n{_escape(lead)}"


def _escape(text: str) -> str:
    """Plain text as Markdown that shows the same."""
    return _MARKS.sub(r"\\\1", text)
