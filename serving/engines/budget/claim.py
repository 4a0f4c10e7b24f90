"""What one server takes of one card, or of main memory."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Need:
    """Bytes without which the server cannot work at one place.

    ``weights`` are its part of the model, ``cache`` holds one prompt and answer of full length (all
    answers at once where the server reserves that), ``overhead`` is the rest. ``token`` is the
    cache of one token there, 0 where the model's shape is unknown.
    """

    weights: int
    cache: int
    overhead: int
    token: int = 0

    @property
    def total(self) -> int:
        """All of it."""
        return self.weights + self.cache + self.overhead


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """What ``server`` (its table in the settings) takes at ``place``, a card's number or ``None``.

    ``need`` is ``None`` where the model is unknown. ``share`` is the part of the card that it fills
    whatever it needs, ``None`` where it takes what it needs; ``is_of_free`` says that the share is
    one of what others leave free.
    """

    server: str
    place: int | None
    need: Need | None
    share: float | None = None
    is_of_free: bool = False
    context_tokens: int | None = None
