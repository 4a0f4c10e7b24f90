"""Words for the failures that any tool can meet: its service, its workers, its engine."""

from typing import assert_never

import requests

from chatbot.errors import (
    EngineError,
    ToolError,
    ToolTimeout,
    WorkerBusy,
    WorkerError,
    WorkerTimeout,
)

KNOWN_FAILURES = (requests.RequestException, WorkerError, EngineError)
"""What `explain` has words for; anything else that a tool raises is a bug."""


def explain(error: requests.RequestException | WorkerError | EngineError, title: str) -> ToolError:
    """The Polish error that tells the user what failed and what to do."""
    kind = ToolTimeout if isinstance(error, requests.Timeout | WorkerTimeout) else ToolError
    return kind(f"„{title}”: {_reason(error)}")


def _reason(error: requests.RequestException | WorkerError | EngineError) -> str:
    match error:
        case requests.Timeout():
            words = "usługa nie odpowiedziała w porę. Spróbuj ponownie za chwilę."
        case requests.JSONDecodeError():
            words = "usługa odpowiedziała czymś nieczytelnym. Spróbuj ponownie później."
        case requests.HTTPError(response=requests.Response() as response):
            words = f"usługa odpowiedziała błędem {response.status_code}. Spróbuj później."
        case requests.RequestException():
            words = "nie udało się połączyć z usługą. Spróbuj ponownie później."
        case WorkerTimeout():
            words = "obliczenia trwały zbyt długo i zostały przerwane. Uprość pytanie."
        case WorkerBusy():
            words = "trwają teraz inne obliczenia. Spróbuj ponownie za chwilę."
        case WorkerError():
            words = "obliczenia przerwano, bo zabrakło na nie zasobów. Uprość pytanie."
        case EngineError():
            words = "model nie odpowiada. Spróbuj ponownie za chwilę."
        case _:
            assert_never(error)
    return words
