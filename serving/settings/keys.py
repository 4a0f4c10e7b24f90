"""Takes secrets from the environment variables that settings name, such as `api_key_env`."""

from collections.abc import Mapping
from typing import TypeVar

from pydantic import SecretStr

from serving.settings.engine import EngineSettings
from serving.settings.errors import SettingsError
from serving.settings.model import Settings
from serving.settings.pictures import ImageEngineSettings
from serving.settings.telling import TelemetrySettings

T = TypeVar("T", EngineSettings, ImageEngineSettings)


def read_keys(settings: Settings, environ: Mapping[str, str]) -> tuple[Settings, dict[str, str]]:
    """The settings with the keys that ``environ`` holds, and each key's variable by dotted name.

    Raises:
        SettingsError: a variable is not set, or an engine has a key beside its variable.
    """
    origins: dict[str, str] = {}

    def with_key(name: str, engine: T) -> T:
        if engine.api_key_env is None:
            return engine
        origins[f"{name}.api_key"] = engine.api_key_env
        return _with_key(name, engine, engine.api_key_env, environ)

    engines = {name: with_key(f"engines.{name}", one) for name, one in settings.engines.items()}
    images = settings.images
    if images.engine is not None:
        drawing = with_key("images.engine", images.engine)
        images = images.model_copy(update={"engine": drawing})
    telemetry = settings.telemetry
    if (variable := telemetry.otlp_headers_env) is not None:
        origins["telemetry.otlp_headers"] = variable
        telemetry = _with_headers(telemetry, variable, environ)
    changed = {"engines": engines, "images": images, "telemetry": telemetry}
    return settings.model_copy(update=changed), origins


def _with_headers(
    telemetry: TelemetrySettings, variable: str, environ: Mapping[str, str]
) -> TelemetrySettings:
    if telemetry.otlp_headers is not None:
        raise SettingsError("telemetry: give 'otlp_headers' or 'otlp_headers_env', not both")
    headers = environ.get(variable, "").strip()
    if not headers:
        raise SettingsError(
            f"telemetry.otlp_headers_env names the variable {variable!r}, which is not set: set "
            "it where Zwrotnica is started, or leave the setting out"
        )
    return telemetry.model_copy(update={"otlp_headers": SecretStr(headers)})


def _with_key(name: str, engine: T, variable: str, environ: Mapping[str, str]) -> T:
    if engine.api_key is not None:
        raise SettingsError(f"{name}: give 'api_key' or 'api_key_env', not both")
    key = environ.get(variable, "").strip()
    if not key:
        raise SettingsError(
            f"{name}.api_key_env names the variable {variable!r}, which is not set: set it where "
            "Zwrotnica is started, or leave the setting out where the server asks for no key"
        )
    return engine.model_copy(update={"api_key": SecretStr(key)})
