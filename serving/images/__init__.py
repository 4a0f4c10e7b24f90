"""The image server: FLUX behind OpenAI's images endpoint, a process of its own."""

__all__: list[str] = []
