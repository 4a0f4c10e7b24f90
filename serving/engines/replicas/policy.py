"""Which groups of an engine's servers take requests: few requests few quick ones, many all."""

from typing import Final, TypeAlias

from serving.settings import BalanceSettings, Group

Groups: TypeAlias = frozenset[Group]

ALL_GROUPS: Final[Groups] = frozenset({"tensor", "single"})
_TENSOR: Final[Groups] = frozenset({"tensor"})


class Policy:
    """Follows `BalanceSettings.policy` through a rising and falling load.

    Source: ScaleLLM (arXiv 2408.00008), whose replicas over several cards answer sooner up to 64
    requests at once, and whose single-card replicas do more together above. There the change is
    sudden; here the way back lies lower (``tensor_return``), so that a load around the threshold
    does not send conversations to and fro between servers that do not have them cached.
    """

    def __init__(self, balance: BalanceSettings) -> None:
        """As for a server that has just started: nothing runs."""
        self._is_dynamic = balance.policy == "tensor_parallel_first"
        self._most = float(balance.tensor_requests)
        self._least = balance.tensor_requests * balance.tensor_return
        self._uses_all = False

    def groups(self, running: int) -> Groups:
        """Those that the next request is for, while ``running`` others are under way."""
        if not self._is_dynamic:
            return ALL_GROUPS
        self._uses_all = running >= (self._least if self._uses_all else self._most)
        return ALL_GROUPS if self._uses_all else _TENSOR
