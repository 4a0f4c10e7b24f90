"""The error tree of the domain, with every error code that a client can meet.

The tree, where a class without a note has the code of its parent:

- `ZwrotnicaError`: has a code; the code has a status and an OpenAI type
    - `InvalidRequest`: invalid_request, unsupported_parameter, context_length_exceeded, not_found
        - `ContentRefused`: a model will not draw or say what was asked (content_policy_violation)
        - `SensitiveContent`: a rule of the operator's forbids what was said (content_refused)
    - `EngineError`: a model server failed; names the engine
        - `EngineUnavailable`: nothing was generated (refused, 5xx, our credentials rejected)
        - `EngineTimeout`: no first token, or no next one, within the limit
        - `EngineLost`: the stream broke after it had begun
        - `EngineBusy`: the engine asks to come back later than we are willing to wait
    - `ConversationBusy`: an answer of this conversation is still being made
    - `StorageUnavailable`: the database is locked, full, read-only or damaged
    - `PageUnavailable`: the web page's process is starting, or does not answer
    - `Draining`: the server is shutting down
    - `ToolError`: a tool says, for the user and in Polish, what failed
        - `ToolTimeout`: the tool's deadline passed
        - `ToolArgumentError`: an argument is missing or cannot be used
    - `WorkerError`: a killable process gave no result (`WorkerBusy`, `WorkerTimeout`, `WorkerLost`)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class ErrorCode(StrEnum):
    """Stable codes of errors, as clients read them in ``error.code``."""

    INVALID_REQUEST = "invalid_request"
    UNSUPPORTED_PARAMETER = "unsupported_parameter"
    CONTEXT_LENGTH_EXCEEDED = "context_length_exceeded"
    CONTENT_POLICY_VIOLATION = "content_policy_violation"
    CONTENT_REFUSED = "content_refused"
    INVALID_API_KEY = "invalid_api_key"
    INSUFFICIENT_SCOPE = "insufficient_scope"
    NOT_FOUND = "not_found"
    CONVERSATION_BUSY = "conversation_busy"
    IN_PROGRESS = "in_progress"
    ALREADY_DONE = "already_done"
    IDEMPOTENCY_KEY_REUSED = "idempotency_key_reused"
    RATE_LIMIT_EXCEEDED = "rate_limit_exceeded"
    BUDGET_EXCEEDED = "budget_exceeded"
    QUEUE_FULL = "queue_full"
    ENGINE_UNAVAILABLE = "engine_unavailable"
    ENGINE_TIMEOUT = "engine_timeout"
    ENGINE_LOST = "engine_lost"
    STORAGE_UNAVAILABLE = "storage_unavailable"
    PAGE_UNAVAILABLE = "page_unavailable"
    SERVER_DRAINING = "server_draining"
    INTERNAL_ERROR = "internal_error"


@dataclass(frozen=True, kw_only=True, slots=True)
class ErrorShape:
    """How a code looks outside: HTTP status, OpenAI ``type``, what a chatting user reads.

    ``is_retryable`` says whether the same request can succeed later without a change.
    """

    status: int
    type: str
    text: str
    is_retryable: bool = False


_INVALID = "invalid_request_error"
_SERVER = "server_error"
_LIMIT = "rate_limit_error"

ERROR_SHAPES: Mapping[ErrorCode, ErrorShape] = MappingProxyType({
    ErrorCode.INVALID_REQUEST: ErrorShape(
        status=400,
        type=_INVALID,
        text="Tego zapytania nie da się obsłużyć. Zmień je i wyślij ponownie.",
    ),
    ErrorCode.UNSUPPORTED_PARAMETER: ErrorShape(
        status=400, type=_INVALID, text="Zapytanie zawiera parametr, którego nie obsługujemy."
    ),
    ErrorCode.CONTEXT_LENGTH_EXCEEDED: ErrorShape(
        status=400,
        type=_INVALID,
        text="Wiadomość jest za długa dla modelu językowego. Skróć ją i wyślij ponownie.",
    ),
    ErrorCode.CONTENT_POLICY_VIOLATION: ErrorShape(
        status=400,
        type=_INVALID,
        text="Model odmówił, bo treść zapytania narusza jego zasady. Zmień je i wyślij ponownie.",
    ),
    ErrorCode.CONTENT_REFUSED: ErrorShape(
        status=400,
        type=_INVALID,
        text="Treść zawiera dane, których ten serwer nie przyjmuje ani nie pokazuje.",
    ),
    ErrorCode.INVALID_API_KEY: ErrorShape(
        status=401, type="authentication_error", text="Klucz dostępu jest nieprawidłowy."
    ),
    ErrorCode.INSUFFICIENT_SCOPE: ErrorShape(
        status=403, type="permission_error", text="Ten klucz nie daje do tego uprawnień."
    ),
    ErrorCode.NOT_FOUND: ErrorShape(status=404, type=_INVALID, text="Nie ma takiego zasobu."),
    ErrorCode.CONVERSATION_BUSY: ErrorShape(
        status=409,
        type="conflict_error",
        text="W tej rozmowie powstaje jeszcze odpowiedź. Poczekaj na nią albo ją zatrzymaj.",
    ),
    ErrorCode.IN_PROGRESS: ErrorShape(
        status=409,
        type="conflict_error",
        text="To samo zapytanie jest już obsługiwane. Poczekaj na jego odpowiedź.",
    ),
    ErrorCode.ALREADY_DONE: ErrorShape(
        status=409,
        type="conflict_error",
        text="To zapytanie zostało już obsłużone, a jego odpowiedzi nie przechowano.",
    ),
    ErrorCode.IDEMPOTENCY_KEY_REUSED: ErrorShape(
        status=422,
        type=_INVALID,
        text="Ten klucz idempotencji należy do innego zapytania. Użyj nowego.",
    ),
    ErrorCode.RATE_LIMIT_EXCEEDED: ErrorShape(
        status=429,
        type=_LIMIT,
        text="Zbyt wiele zapytań w krótkim czasie. Odczekaj chwilę i spróbuj ponownie.",
        is_retryable=True,
    ),
    ErrorCode.BUDGET_EXCEEDED: ErrorShape(
        status=429, type="insufficient_quota", text="Przydzielony limit został wyczerpany."
    ),
    ErrorCode.QUEUE_FULL: ErrorShape(
        status=503,
        type=_SERVER,
        text="Serwer jest teraz zajęty. Spróbuj ponownie za chwilę.",
        is_retryable=True,
    ),
    ErrorCode.ENGINE_UNAVAILABLE: ErrorShape(
        status=503,
        type=_SERVER,
        text="Model językowy jest teraz niedostępny. Spróbuj ponownie za chwilę.",
        is_retryable=True,
    ),
    ErrorCode.ENGINE_TIMEOUT: ErrorShape(
        status=504,
        type=_SERVER,
        text="Model językowy nie odpowiedział na czas. Spróbuj ponownie za chwilę.",
        is_retryable=True,
    ),
    ErrorCode.ENGINE_LOST: ErrorShape(
        status=502,
        type=_SERVER,
        text="Połączenie z modelem językowym zostało przerwane; odpowiedź jest niepełna.",
        is_retryable=True,
    ),
    ErrorCode.STORAGE_UNAVAILABLE: ErrorShape(
        status=503,
        type=_SERVER,
        text="Rozmów nie da się teraz zapisać. Spróbuj ponownie za chwilę.",
        is_retryable=True,
    ),
    ErrorCode.PAGE_UNAVAILABLE: ErrorShape(
        status=503,
        type=_SERVER,
        text="Strona czatu właśnie się uruchamia. Spróbuj ponownie za chwilę.",
        is_retryable=True,
    ),
    ErrorCode.SERVER_DRAINING: ErrorShape(
        status=503,
        type=_SERVER,
        text="Serwer właśnie się wyłącza. Spróbuj ponownie za chwilę.",
        is_retryable=True,
    ),
    ErrorCode.INTERNAL_ERROR: ErrorShape(
        status=500,
        type=_SERVER,
        text="Wystąpił błąd po naszej stronie. Spróbuj ponownie; jeśli się powtórzy, zgłoś go.",
    ),
})


class ZwrotnicaError(Exception):
    """Anything this project raises on purpose; ``message`` says what went wrong and what to do."""

    code: ErrorCode = ErrorCode.INTERNAL_ERROR

    def __init__(self, message: str, *, code: ErrorCode | None = None) -> None:
        """Keep ``message`` and, where a subclass covers several codes, the precise ``code``."""
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code

    @property
    def shape(self) -> ErrorShape:
        """Status, OpenAI type and retryability of this error's code."""
        return ERROR_SHAPES[self.code]

    @property
    def for_log(self) -> str:
        """What logs may hold of the message."""
        return self.message


class InvalidRequest(ZwrotnicaError):
    """The request cannot be served as it is; ``param`` names the field at fault."""

    code = ErrorCode.INVALID_REQUEST

    def __init__(
        self, message: str, *, param: str | None = None, code: ErrorCode | None = None
    ) -> None:
        """Keep ``param``, the dotted name of the field at fault, beside the message."""
        super().__init__(message, code=code)
        self.param = param

    @property
    def for_log(self) -> str:
        """Not the message: it may quote the request, as servers of models do."""
        return "the request cannot be served as it is; its sender was told why"


class ContentRefused(InvalidRequest):
    """A model refuses what was asked for, by the rules of whoever runs it."""

    code = ErrorCode.CONTENT_POLICY_VIOLATION


class SensitiveContent(InvalidRequest):
    """A rule of the operator's forbids what stands in a message, or in an answer.

    ``rule`` is its name. The words are for whoever chats, Polish first, English second.
    """

    code = ErrorCode.CONTENT_REFUSED

    def __init__(self, rule: str, *, in_answer: bool) -> None:
        """Say what happened without repeating the content."""
        words = _ANSWER_REFUSED if in_answer else _MESSAGE_REFUSED
        super().__init__(words.format(rule=rule), param=None if in_answer else "messages")
        self.rule = rule
        self.in_answer = in_answer


_MESSAGE_REFUSED = (
    "Wiadomość zawiera dane, których ten serwer nie przyjmuje (reguła „{rule}”). Usuń je i wyślij "
    "ponownie. / The message holds what this server does not accept (rule {rule!r}); remove it "
    "and send it again."
)
_ANSWER_REFUSED = (
    "Odpowiedź przerwano: miała podać dane, których ten serwer nie pokazuje (reguła „{rule}”). / "
    "The answer was stopped: it was about to tell what this server does not show (rule {rule!r})."
)


class EngineError(ZwrotnicaError):
    """A model server failed; ``engine`` is its configured name."""

    code = ErrorCode.ENGINE_UNAVAILABLE

    def __init__(
        self,
        message: str,
        *,
        engine: str,
        code: ErrorCode | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        """Keep the engine's configured name and, where known, seconds until a retry may help."""
        super().__init__(message, code=code)
        self.engine = engine
        self.retry_after_s = retry_after_s


class EngineUnavailable(EngineError):
    """Nothing was generated: refused, 5xx, wrong content, or our credentials rejected."""


class EngineTimeout(EngineError):
    """No first token, or no further one, within the limit."""

    code = ErrorCode.ENGINE_TIMEOUT


class EngineLost(EngineError):
    """The stream broke after it had begun; what arrived is not a whole answer."""

    code = ErrorCode.ENGINE_LOST


class EngineBusy(EngineError):
    """The engine asks to come back later than we are willing to wait."""

    code = ErrorCode.QUEUE_FULL


class ConversationBusy(ZwrotnicaError):
    """An answer of this conversation is still being made; stop it or wait for its end."""

    code = ErrorCode.CONVERSATION_BUSY


class StorageUnavailable(ZwrotnicaError):
    """The database cannot be written or read now: locked, full, read-only or damaged."""

    code = ErrorCode.STORAGE_UNAVAILABLE


class PageUnavailable(ZwrotnicaError):
    """The process of the web page is starting, or does not answer."""

    code = ErrorCode.PAGE_UNAVAILABLE


class Draining(ZwrotnicaError):
    """The server is shutting down and takes no new turn."""

    code = ErrorCode.SERVER_DRAINING


class ToolError(ZwrotnicaError):
    """What a tool tells the user, in Polish: what failed, with what, and what to do now."""


class ToolTimeout(ToolError):
    """The tool's deadline passed before its service answered."""


class ToolArgumentError(ToolError):
    """An argument of a call is missing or cannot be used; ``argument`` is its name."""

    def __init__(self, message: str, *, argument: str, is_missing: bool = False) -> None:
        """Keep the argument's name and whether it was left out (then the user is asked for it)."""
        super().__init__(message)
        self.argument = argument
        self.is_missing = is_missing


class WorkerError(ZwrotnicaError):
    """A killable worker process did not give a result."""


class WorkerBusy(WorkerError):
    """No worker became free in time; nothing was run."""


class WorkerTimeout(WorkerError):
    """The worker was killed at its time limit."""


class WorkerLost(WorkerError):
    """The worker died: out of memory, or killed from outside."""
