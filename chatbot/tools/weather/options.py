"""The settings of the weather tool."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr


class WeatherSettings(BaseModel):
    """``[tools.weather]``; without a key the weather comes from Open-Meteo."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    provider: Literal["auto", "openweather", "open-meteo"] = Field(
        default="auto",
        description="Whose weather; auto: OpenWeather if there is a key for it, else Open-Meteo, "
        "which needs no key and is free for non-commercial use only.",
    )
    api_key: SecretStr | None = Field(
        default=None,
        description="A key for OpenWeather (openweathermap.org); without one the weather comes "
        "from Open-Meteo, which is keyless and for non-commercial use.",
    )
    openweather_url: str = Field(
        default="https://api.openweathermap.org", description="Where OpenWeather answers."
    )
    openmeteo_url: str = Field(
        default="https://api.open-meteo.com",
        description="Where Open-Meteo answers; its public server is for non-commercial use.",
    )
    geocoding_url: str = Field(
        default="https://geocoding-api.open-meteo.com",
        description="Where Open-Meteo looks up places.",
    )
    fresh_s: float = Field(
        default=600, ge=0, description="Seconds for which an answer is used again."
    )
    stale_s: float = Field(
        default=10_800,
        ge=0,
        description="Seconds for which an old answer is shown, with its age, if the service fails.",
    )

    @property
    def key(self) -> str:
        """The key for OpenWeather; empty where there is none."""
        return self.api_key.get_secret_value().strip() if self.api_key else ""

    @property
    def uses_openweather(self) -> bool:
        """Whether OpenWeather is asked, and not Open-Meteo."""
        return self.provider == "openweather" or (self.provider == "auto" and bool(self.key))
