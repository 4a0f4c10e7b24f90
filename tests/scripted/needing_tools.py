"""The four tools as a dialogue knows them: each with the argument that it needs."""

from chatbot.types import ToolSpec

TOOLS = tuple(
    ToolSpec(name=name, title=name, description=name, parameters={"required": [argument]})
    for name, argument in (
        ("get_weather", "city"),
        ("calculate", "expression"),
        ("search_wikipedia", "query"),
        ("generate_image", "description"),
    )
)
WEATHER_AND_WIKIPEDIA = (TOOLS[0], TOOLS[2])
"""What talk about places and articles needs."""
