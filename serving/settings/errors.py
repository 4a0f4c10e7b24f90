"""What is raised when settings cannot be used."""

from chatbot.errors import ZwrotnicaError


class SettingsError(ZwrotnicaError):
    """A setting is unknown or cannot be used; the message names it, its origin and the remedy."""
