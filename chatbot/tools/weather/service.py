"""Asks a weather service over HTTP and turns all that can go wrong into Polish errors."""

from collections.abc import Mapping
from typing import Annotated, TypeVar

import requests
from pydantic import BaseModel, FiniteFloat, TypeAdapter, ValidationError
from pydantic.functional_validators import AfterValidator

from chatbot.errors import ToolError, ToolTimeout

T = TypeVar("T")

_FORBIDDEN = {401, 403}
_TOO_MANY = 429
_NOT_FOUND = 404
_UNCLEAR = 400


def _check_celsius(value: float) -> float:
    if not -100 <= value <= 70:  # noqa: PLR2004 - no thermometer on Earth has shown more or less
        raise ValueError("no temperature on Earth")
    return value


Celsius = Annotated[FiniteFloat, AfterValidator(_check_celsius)]


class KeyRefused(ToolError):
    """The service does not accept our key; ``service`` is its name."""

    def __init__(self, service: str) -> None:
        """Tell the user, who may know the operator."""
        super().__init__(
            f"Serwis pogodowy {service} odrzucił klucz dostępu, więc nie mam danych o pogodzie. "
            "Operator może go poprawić w ustawieniu tools.weather.api_key."
        )
        self.service = service


class NotFound(ToolError):
    """The service has nothing under this name."""


class _Trouble(BaseModel):
    """The error bodies of OpenWeather, whose code is now a string, now a number."""

    cod: int | None = None


def fetch(
    session: requests.Session,
    url: str,
    params: Mapping[str, str | float],
    *,
    service: str,
    reply: TypeAdapter[T],
) -> T:
    """Get ``url`` and validate its JSON; NaN and impossible temperatures are refused.

    Raises:
        KeyRefused: 401 or 403.
        NotFound: 404, as a status or as ``cod`` in the body.
        ToolTimeout: no whole answer came in time.
        ToolError: anything else that is not the expected reply.
    """
    try:
        response = session.get(url, params=dict(params))
    except requests.Timeout as error:
        raise ToolTimeout(
            f"Serwis pogodowy {service} nie odpowiada. Spróbuj ponownie za chwilę."
        ) from error
    except requests.RequestException as error:
        raise ToolError(
            f"Nie udało się połączyć z serwisem pogodowym {service}. Spróbuj ponownie później."
        ) from error
    _refuse_failure(response, service)
    try:
        return reply.validate_json(response.content)
    except ValidationError as error:
        raise ToolError(
            f"Serwis pogodowy {service} odpowiedział niezrozumiale. Spróbuj ponownie później."
        ) from error


def _refuse_failure(response: requests.Response, service: str) -> None:
    code = _said_code(response) if response.ok else response.status_code
    if code in _FORBIDDEN:
        raise KeyRefused(service)
    if code == _NOT_FOUND:
        raise NotFound(f"Serwis pogodowy {service} nie zna tego miejsca.")
    if code == _TOO_MANY:
        raise ToolError(
            f"Serwis pogodowy {service} dostaje teraz zbyt wiele zapytań. Spróbuj za kilka minut."
        )
    if code >= _UNCLEAR:
        raise ToolError(
            f"Serwis pogodowy {service} ma awarię (błąd {code}). Spróbuj ponownie później."
        )


def _said_code(response: requests.Response) -> int:
    """The code that OpenWeather puts into its body, also under status 200."""
    try:
        trouble = _Trouble.model_validate_json(response.content)
    except ValidationError:
        return response.status_code
    return trouble.cod or response.status_code
