"""Why a sign-in by a provider fails: for the log in its own words, for the browser in few."""

from typing import Final

from chatbot.errors import ErrorCode
from serving.http.errors import Refusal

_WORDS: Final = "the sign-in by the provider did not work: try again"


class OidcRefused(Refusal):
    """The provider, or what came from it, does not let somebody in; ``reason`` is for the log."""

    def __init__(self, reason: str, *, code: ErrorCode = ErrorCode.INSUFFICIENT_SCOPE) -> None:
        """``reason`` holds no token and no name."""
        super().__init__(_WORDS, code=code)
        self.reason = reason


class NotAdmitted(OidcRefused):
    """The provider knows the person, who may not come in here all the same."""


class ProviderUnavailable(OidcRefused):
    """The provider cannot be reached, or says nothing of use."""

    def __init__(self, reason: str) -> None:
        """``reason`` holds no token."""
        super().__init__(reason, code=ErrorCode.ENGINE_UNAVAILABLE)
