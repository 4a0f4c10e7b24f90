"""What may be charged for an answer of which the fault server has sent some tokens."""

from collections.abc import Mapping, Sequence
from typing import Final

from scripted.line import Script

_BYTES_A_TOKEN: Final = 3


def estimates(script: Script, sent: int) -> list[int]:
    """What docs/billing.md counts where no figure was told, for each number of tokens to ``sent``.

    The last is for all of them; the others are for readers who were left before they had all.
    """
    texts = ["".join(map(script.token, range(number))) for number in range(sent + 1)]
    return [-(-len(text.encode()) // _BYTES_A_TOKEN) for text in texts]


def tokens_of(legs: Sequence[Mapping[str, object]]) -> tuple[int, str]:
    """The tokens of answers that its user pays, and where the figure is from."""
    paid = [leg for leg in legs if leg["payer"] == "user"]
    sources = {str(leg["source"]) for leg in paid}
    return sum(int(str(leg["completion_tokens"])) for leg in paid), "".join(sorted(sources))
