"""The HTTP face of the chatbot: OpenAI-conformant routes, the decision alone, tools, pictures."""

__all__: list[str] = []
