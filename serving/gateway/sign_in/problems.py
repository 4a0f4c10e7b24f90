"""What went wrong on a sign-in page, in words for whoever reads it."""

from collections.abc import Mapping

from chatbot.errors import ErrorCode, InvalidRequest, ZwrotnicaError
from serving.auth.signing_in.new_passwords import DeadLink
from serving.gateway.sign_in.words import Words
from serving.http.errors import BodyTooLarge, Refusal


class NoSuchWay(Refusal):
    """Nobody signs in here that way: no password counts, or no provider is asked."""

    def __init__(self, message: str) -> None:
        """``message`` names the way."""
        super().__init__(message, code=ErrorCode.NOT_FOUND)


def problem_of(
    words: Words, error: ZwrotnicaError, headers: Mapping[str, str], *, least: int
) -> str:
    """What to tell of ``error``, and what to do now.

    ``headers`` are those of the reply; a password has ``least`` characters.
    """
    minutes = -(-int(headers.get("retry-after", "60")) // 60)
    wait = words.wait.format(minutes=minutes)
    return _text_of(words, error).format(wait=wait, least=least)


def _text_of(words: Words, error: ZwrotnicaError) -> str:
    """By its kind where one code stands for several."""
    match error:
        case DeadLink():
            return words.dead_link
        case NoSuchWay():
            return words.no_such_way
        case BodyTooLarge():
            return words.form_too_long
        case InvalidRequest(param="password"):
            return words.bad_password
        case _:
            return words.problems.get(ErrorCode(error.code), words.unknown_problem)
