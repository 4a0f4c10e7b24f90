"""How large one request of a caller may be: its prompt and its answer, in tokens."""

from chatbot.errors import ErrorCode, InvalidRequest
from serving.auth.caller import Caller


def check_prompt(caller: Caller, tokens: int, *, param: str) -> None:
    """Refuse a prompt of so many tokens where the caller's may not be as long.

    Raises:
        InvalidRequest: it is too long; ``param`` names the field.
    """
    most = caller.limits.quotas.prompt_tokens
    if most is not None and tokens > most:
        raise InvalidRequest(
            f"{param} has about {tokens} tokens; at most {most} fit for this account",
            param=param,
            code=ErrorCode.CONTEXT_LENGTH_EXCEEDED,
        )


def bound_answer(most: int | None, asked: int | None, default: int) -> int | None:
    """The tokens that an answer may have: as asked, else by default, and ``most`` in any case."""
    return asked if most is None else min(most, asked or default or most)
