"""Which server takes a request: properties of a pure function."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from hypothesis import assume, given, strategies as st

from serving.engines.replicas.choice import Standing, choose
from serving.engines.replicas.demand import Demand
from serving.engines.replicas.policy import ALL_GROUPS, Groups
from serving.settings import BalanceSettings, ReplicaSettings

ALIKE = BalanceSettings(affinity_factor=0.0)
STAYING = BalanceSettings(affinity_factor=1.5)
TENSOR: Groups = frozenset({"tensor"})
SMALL = Demand(prompt_tokens=10, answer_tokens=100)


def first(candidates: Sequence[Standing]) -> Standing:
    return candidates[0]


def server(number: int, group: str = "single", weight: float = 1.0) -> ReplicaSettings:
    fields = {"url": f"http://server-{number}:8000/v1", "group": group, "weight": weight}
    return ReplicaSettings.model_validate(fields)


@st.composite
def any_standings(draw: st.DrawFn) -> list[Standing]:
    return [
        Standing(
            replica=server(
                number,
                draw(st.sampled_from(("single", "tensor"))),
                draw(st.floats(0.1, 8.0)),
            ),
            tokens=draw(st.integers(0, 100_000)),
            requests=draw(st.integers(0, 200)),
            share=draw(st.floats(0.1, 1.0)),
            is_available=draw(st.booleans()),
        )
        for number in range(draw(st.integers(0, 6)))
    ]


any_demand = st.builds(
    Demand,
    prompt_tokens=st.integers(0, 10_000),
    answer_tokens=st.integers(1, 10_000),
    key=st.none() | st.binary(min_size=16, max_size=16),
)
any_balance = st.builds(BalanceSettings, affinity_factor=st.floats(0.0, 4.0))
any_groups: st.SearchStrategy[Groups] = st.sampled_from((TENSOR, ALL_GROUPS))


@given(any_standings(), any_demand, any_balance, any_groups, st.randoms())
def test_the_chosen_one_is_available_and_there_is_one_where_any_is(
    standings: list[Standing],
    demand: Demand,
    balance: BalanceSettings,
    groups: Groups,
    random: Random,
) -> None:
    chosen = choose(standings, demand, balance=balance, pick=random.choice, groups=groups)

    available = [one for one in standings if one.is_available]
    assert chosen in available or (chosen is None and not available)


@given(any_standings(), any_demand, st.randoms())
def test_without_affinity_none_has_less_to_do(
    standings: list[Standing], demand: Demand, random: Random
) -> None:
    chosen = choose(standings, demand, balance=ALIKE, pick=random.choice)
    assume(chosen is not None)

    assert chosen is not None
    loads = [one.load_with(demand) for one in standings if one.is_available]
    assert chosen.load_with(demand) == min(loads)


@given(any_standings(), any_demand, any_balance)
def test_the_order_of_the_servers_does_not_matter(
    standings: list[Standing], demand: Demand, balance: BalanceSettings
) -> None:
    def by_name(candidates: Sequence[Standing]) -> Standing:
        return min(candidates, key=lambda one: one.replica.url)

    forth = choose(standings, demand, balance=balance, pick=by_name)
    back = choose(standings[::-1], demand, balance=balance, pick=by_name)
    assert forth == back


def test_equals_are_drawn_at_random() -> None:
    standings = [Standing(replica=server(number)) for number in range(3)]
    random = Random(7)  # noqa: S311 - repeatable
    chosen = [choose(standings, SMALL, balance=ALIKE, pick=random.choice) for _ in range(300)]

    assert all(
        count > 60 for count in Counter(standings.index(one) for one in chosen if one).values()
    )


def test_a_weight_of_two_takes_twice_the_tokens() -> None:
    heavy = Standing(replica=server(0, weight=2.0), tokens=1_500)
    light = Standing(replica=server(1), tokens=1_000)

    assert choose([heavy, light], SMALL, balance=ALIKE, pick=first) == heavy


def test_a_server_that_has_come_back_is_spared() -> None:
    back = Standing(replica=server(0), share=0.1)
    busy = Standing(replica=server(1), tokens=500)

    assert choose([back, busy], SMALL, balance=ALIKE, pick=first) == busy


@given(st.binary(min_size=16, max_size=16))
def test_a_conversation_stays_where_it_is_while_loads_differ_little(key: bytes) -> None:
    demand = replace(SMALL, key=key)
    idle = [Standing(replica=server(number)) for number in range(4)]
    home = choose(idle, demand, balance=STAYING, pick=first)
    assert home is not None
    busier = [replace(one, tokens=2_000 if one == home else 0) for one in idle]

    again = choose(busier, demand, balance=STAYING, pick=first)
    assert again is not None
    assert again.replica == home.replica


@given(st.binary(min_size=16, max_size=16))
def test_a_conversation_leaves_an_overloaded_server(key: bytes) -> None:
    demand = replace(SMALL, key=key)
    idle = [Standing(replica=server(number)) for number in range(4)]
    home = choose(idle, demand, balance=STAYING, pick=first)
    overloaded = [replace(one, tokens=20_000 if one == home else 0) for one in idle]

    chosen = choose(overloaded, demand, balance=STAYING, pick=first)
    assert chosen is not None
    assert chosen.tokens == 0


@given(st.binary(min_size=16, max_size=16), st.integers(0, 3))
def test_only_conversations_of_a_lost_server_move(key: bytes, lost: int) -> None:
    demand = replace(SMALL, key=key)
    all_there = [Standing(replica=server(number)) for number in range(4)]
    without = [replace(one, is_available=place != lost) for place, one in enumerate(all_there)]
    before = choose(all_there, demand, balance=STAYING, pick=first)
    after = choose(without, demand, balance=STAYING, pick=first)
    assume(before != all_there[lost])

    assert after == before


def test_conversations_are_spread_in_proportion_to_weights() -> None:
    standings = [Standing(replica=server(0, weight=3.0)), Standing(replica=server(1))]
    random = Random(3)  # noqa: S311 - repeatable
    homes = Counter(
        choose(standings, replace(SMALL, key=random.randbytes(16)), balance=STAYING, pick=first)
        == standings[0]
        for _ in range(2_000)
    )

    assert 0.7 < homes[True] / 2_000 < 0.8


def test_servers_of_other_groups_wait_however_idle_they_are() -> None:
    tensor = Standing(replica=server(0, "tensor"), tokens=5_000)
    single = Standing(replica=server(1))

    assert choose([tensor, single], SMALL, balance=ALIKE, pick=first, groups=TENSOR) == tensor


def test_single_servers_stand_in_for_lost_tensor_parallel_ones() -> None:
    tensor = Standing(replica=server(0, "tensor"), is_available=False)
    single = Standing(replica=server(1))

    assert choose([tensor, single], SMALL, balance=ALIKE, pick=first, groups=TENSOR) == single
