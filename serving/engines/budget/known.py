"""Known models: what a model weighs by its id alone, from the table `models.toml`."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, PositiveFloat, PositiveInt

TABLE: Final = Path(__file__).with_name("models.toml")
_BITS_A_BYTE: Final = 8
_PLAIN_BITS: Final = 16.0


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    names: tuple[str, ...]
    source: str


class KnownModel(_Row):
    """The published shape of a family of models; see the table's head."""

    parameters: PositiveInt
    embedding: PositiveInt
    layers: PositiveInt
    kv_heads: PositiveInt
    head_dim: PositiveInt


class KnownQuantisation(_Row):
    """Bits of a parameter in a quantised checkpoint; see the table's head."""

    bits: PositiveFloat
    all: bool


class KnownTable(BaseModel):
    """What is known, first match first."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: tuple[KnownModel, ...]
    quantisation: tuple[KnownQuantisation, ...]

    def find_model(self, name: str) -> KnownModel | None:
        """The model of which ``name`` (an id or a file's name) speaks."""
        folded = name.lower()
        return next((row for row in self.model if any(part in folded for part in row.names)), None)

    def find_quantisation(self, name: str) -> KnownQuantisation | None:
        """The quantisation of which a whole word of ``name`` speaks."""
        folded = name.lower()
        return next(
            (row for row in self.quantisation if any(_has_word(folded, n) for n in row.names)), None
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Precision:
    """Bits of a parameter, and whether the embeddings have them, too (else 16)."""

    bits: float
    is_for_all: bool

    def weigh(self, parameters: float, embedding: float) -> int:
        """Bytes of ``parameters``, of which ``embedding`` are embeddings."""
        plain = 0.0 if self.is_for_all else embedding
        bits = (parameters - plain) * self.bits + plain * _PLAIN_BITS
        return round(bits / _BITS_A_BYTE)


PLAIN: Final = Precision(bits=_PLAIN_BITS, is_for_all=True)


def read_table() -> KnownTable:
    """The table of known models and quantisations."""
    return KnownTable.model_validate(tomllib.loads(TABLE.read_text(encoding="utf-8")))


def _has_word(name: str, word: str) -> bool:
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9_])", name) is not None
