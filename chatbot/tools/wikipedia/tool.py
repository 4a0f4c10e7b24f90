"""The tool `search_wikipedia`: an article's lead or section, with the revision that was read."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from chatbot.errors import ToolError
from chatbot.tools.context import ToolContext
from chatbot.tools.tool import tool
from chatbot.tools.wikipedia.answers import Answers
from chatbot.tools.wikipedia.languages import POLISH, read_language
from chatbot.tools.wikipedia.lookup import Lead, find
from chatbot.tools.wikipedia.options import WikipediaSettings
from chatbot.tools.wikipedia.site import Wiki
from chatbot.tools.wikipedia.titles import read_query
from chatbot.types import JsonObject, Name, ToolResult

QUERY_LENGTH = 200


def _summarise(arguments: JsonObject) -> str:
    language = arguments.get("language")
    return f"{arguments.get('query', '')}{'' if language in {None, POLISH} else f' · {language}'}"


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
        BeforeValidator(read_language),
        Field(description="Language code; pl unless the user asks for another Wikipedia."),
    ] = "pl",
) -> ToolResult:
    """Facts from Wikipedia about a person, place, event, work, species or notion.

    Who somebody was, what something is, when or where it happened. Not for weather, computing,
    translations, opinions, advice, code, or writing and rephrasing texts.
    """
    if language != POLISH and not ctx.settings.has_editions:
        raise ToolError(
            f"Podłączono tylko polską Wikipedię, więc nie poszukam w wersji „{language}”. "
            "Zapytaj bez podawania języka."
        )
    key = f"answer {language} {' '.join(query.split())}"
    kept = ctx.cache.get(key)
    if isinstance(kept, ToolResult):
        return kept
    wiki = Wiki(ctx, language)
    answers = Answers(
        ctx.settings, link=wiki.link, query=query, language=language, now=ctx.clock.now()
    )
    found = find(wiki, read_query(query, is_polish=language == POLISH))
    result = answers.word(found)
    if not (isinstance(found, Lead) and found.is_partial):
        ctx.cache.put(key, result, ttl_s=ctx.settings.fresh_s)
    return result
