"""The tools that every chatbot has."""

from chatbot.tools.image import generate_image
from chatbot.tools.mathematics import calculate
from chatbot.tools.tool import Tool
from chatbot.tools.weather import get_weather
from chatbot.tools.wikipedia import search_wikipedia

BUILT_IN: tuple[Tool, ...] = (get_weather, search_wikipedia, calculate, generate_image)
