"""The bodies that clients of the Chat API send; bounds that are settings are checked apart."""

from typing import Final, Literal

from pydantic import Field, StrictInt

from serving.http.body import Body, Number

NAMES: Final = 128
NAME_CHARS: Final = 128
COMMENT_CHARS: Final = 2000


class ParametersBody(Body):
    """How answers are made; what is left out (or null) is the server's own choice.

    ``tools`` names the tools that may be used; null: every one that is enabled.
    """

    temperature: Number | None = Field(default=None, ge=0, le=2)
    top_p: Number | None = Field(default=None, gt=0, le=1)
    repetition_penalty: Number | None = Field(default=None, gt=0, le=2)
    max_tokens: StrictInt | None = Field(default=None, ge=1)
    system_prompt: str | None = None
    tools: list[str] | None = Field(default=None, max_length=NAMES)


class ConversationBody(Body):
    """`POST /api/conversations`."""

    title: str | None = None
    parameters: ParametersBody | None = None


class ChangeBody(Body):
    """`PATCH /api/conversations/{id}`: what is left out (or null) stays as it is.

    ``parameters`` replace all earlier ones. ``current`` is the last message of the branch to show.
    """

    title: str | None = None
    parameters: ParametersBody | None = None
    current: str | None = Field(default=None, max_length=NAME_CHARS)


class MessageBody(Body):
    """`POST /api/conversations/{id}/messages`: a new message, or an earlier one answered again.

    Without ``parent`` the ``text`` continues the current branch. With the id of an answer (or null,
    the start) it continues there. With the id of a user's message that message is answered again,
    or, where ``text`` differs, written anew beside it. ``parameters`` and ``tools`` are for this
    answer alone. ``force`` is the name of a tool, or "default".
    """

    text: str | None = None
    parent: str | None = Field(default=None, max_length=NAME_CHARS)
    parameters: ParametersBody | None = None
    tools: list[str] | None = Field(default=None, max_length=NAMES)
    force: str | None = Field(default=None, max_length=NAME_CHARS)


class FeedbackBody(Body):
    """`PUT …/messages/{mid}/feedback`; a null ``rating`` takes the earlier one back."""

    rating: Literal["up", "down"] | None
    comment: str | None = Field(default=None, max_length=COMMENT_CHARS)
