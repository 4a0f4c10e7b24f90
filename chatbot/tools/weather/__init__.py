"""The weather tool: what it is like now, and what the next days bring."""

from chatbot.tools.weather.lookup import get_weather
from chatbot.tools.weather.options import WeatherSettings

__all__ = ["WeatherSettings", "get_weather"]
