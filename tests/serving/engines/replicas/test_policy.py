"""ScaleLLM's dynamic policy: tensor-parallel servers for few requests, every server for many."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from itertools import pairwise

from hypothesis import given, strategies as st
from scripted.replica_set import ReplicaSet, replicas_with

from chatbot.types import ChatMessage, ChatRequest
from serving.engines.replicas.policy import ALL_GROUPS, Groups, Policy
from serving.settings import BalanceSettings

TENSOR: Groups = frozenset({"tensor"})
DYNAMIC = BalanceSettings(policy="tensor_parallel_first")
SLOW = "fault=none;tokens=200;pace=20"
FOUR = {
    "policy": "tensor_parallel_first",
    "tensor_requests": 4,
    "tensor_return": 0.5,
    "affinity_factor": 0,
}


def uses(policy: Policy, loads: Sequence[int]) -> list[str]:
    """Whom the policy asks at each of these loads, one after the other."""
    return ["all" if policy.groups(one) == ALL_GROUPS else "tensor" for one in loads]


def test_tensor_parallel_servers_alone_are_asked_below_64_requests() -> None:
    assert uses(Policy(DYNAMIC), [0, 32, 63]) == ["tensor", "tensor", "tensor"]
    assert uses(Policy(DYNAMIC), [64]) == ["all"]


def test_the_way_back_lies_lower_than_the_way_there() -> None:
    loads = [63, 64, 63, 48, 47, 48, 63, 64]
    told = ["tensor", "all", "all", "all", "tensor", "tensor", "tensor", "all"]
    assert uses(Policy(DYNAMIC), loads) == told


def test_without_a_margin_every_request_decides_anew() -> None:
    sudden = DYNAMIC.model_copy(update={"tensor_return": 1.0})
    assert uses(Policy(sudden), [63, 64, 63, 64]) == ["tensor", "all", "tensor", "all"]


def test_the_other_policy_always_asks_all() -> None:
    assert uses(Policy(BalanceSettings()), [0, 63, 64, 0]) == ["all"] * 4


@given(st.lists(st.integers(-1, 1), max_size=400), st.integers(1, 100), st.floats(0.0, 1.0))
def test_between_two_changes_lies_the_whole_margin(
    steps: list[int], most: int, margin: float
) -> None:
    balance = DYNAMIC.model_copy(update={"tensor_requests": most, "tensor_return": margin})
    policy, load = Policy(balance), 0
    changes = list[int]()
    before = TENSOR
    for step in steps:
        load = max(0, load + step)
        if policy.groups(load) != before:
            before = policy.groups(load)
            changes.append(load)

    assert all(abs(two - one) > most * (1 - margin) - 1 for one, two in pairwise(changes))


async def _open(around: ReplicaSet, stack: AsyncExitStack, count: int) -> None:
    for number in range(count):
        question = ChatMessage(role="user", text=f"Pytanie {number}.")
        await stack.enter_async_context(around.engine.stream(ChatRequest(messages=(question,))))


async def test_an_engine_grows_and_shrinks_with_its_load() -> None:
    groups = ("tensor", "single", "single")
    async with replicas_with(SLOW, SLOW, SLOW, balance=FOUR, groups=groups) as around:
        async with AsyncExitStack() as low:
            await _open(around, low, 3)
            few = around.asked
            async with AsyncExitStack() as high:
                await _open(around, high, 3)
                many = around.asked
            await _open(around, low, 1)
            fewer = around.asked
        async with AsyncExitStack() as again:
            await _open(around, again, 1)

        assert few == [3, 0, 0]
        assert [many[0], *sorted(many[1:])] == [4, 1, 1]
        assert [fewer[0], sum(fewer[1:])] == [4, 3]
        assert around.asked == [5, *fewer[1:]]
