"""The chatbot: takes a turn's request, sets the switch, and streams what follows as events."""

from chatbot.bot.chatbot import Chatbot
from chatbot.bot.equipment import Equipment, TurnLimits
from chatbot.bot.switch import Routing
from chatbot.bot.turn import Turn

__all__ = ["Chatbot", "Equipment", "Routing", "Turn", "TurnLimits"]
