"""Gives conversations their titles: the first words at once, the default model's when it can."""

from chatbot.bot.titles import FIRST_WORDS_CHARS, first_words
from chatbot.types import TurnRequest
from serving.gateway.conversations.branches import Asked
from serving.gateway.conversations.charging import charge_title
from serving.gateway.conversations.surroundings import Surroundings
from serving.gateway.turn_figures import TurnFigures
from serving.settings import ChatSettings


def title_of(question: str, settings: ChatSettings) -> str:
    """The title that a conversation begins with: the first words of its first message."""
    return first_words(question, longest=min(FIRST_WORDS_CHARS, settings.title_chars))


async def ask_for_title(
    surroundings: Surroundings,
    asked: Asked,
    turn: TurnRequest,
    answer: str,
    *,
    figures: TurnFigures,
) -> None:
    """Name the conversation by what the default model suggests, unless a person has named it.

    Raises:
        InvalidRequest: the conversation has been deleted.
        StorageUnavailable: the title cannot be stored now.
    """
    settings = surroundings.settings.chat
    suggestion = await surroundings.chatbot.suggest_title(
        turn, answer, longest=settings.title_chars, limit_s=settings.title_s
    )
    figures.count(suggestion.legs)
    if suggestion.legs:
        await charge_title(surroundings, asked, suggestion.legs)
    if suggestion.title is not None:
        await surroundings.conversations.name(asked.owner, asked.conversation_id, suggestion.title)
