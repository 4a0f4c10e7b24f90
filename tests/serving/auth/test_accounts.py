import pytest
from scripted.keyed import ACTOR, Keyed

from chatbot.errors import InvalidRequest
from serving.auth.access import limits_of
from serving.auth.quotas import Quotas, default_quotas
from serving.auth.records import LOCAL, NO_LIMITS, Limits
from serving.settings import QuotaSettings


async def test_accounts_are_known_by_their_names(keyed: Keyed) -> None:
    added = await keyed.accounts.add("jan.kowalski@uczelnia.pl", actor=ACTOR)
    assert await keyed.accounts.find("jan.kowalski@uczelnia.pl") == added
    with pytest.raises(InvalidRequest, match="already"):
        await keyed.accounts.add("jan.kowalski@uczelnia.pl", actor=ACTOR)
    with pytest.raises(InvalidRequest, match="did you mean 'jan"):
        await keyed.accounts.find("jan.kowalska@uczelnia.pl")


@pytest.mark.parametrize("name", ["", "a b", "a\n", "a/b", "x" * 129, "<b>"])
async def test_odd_names_are_refused(keyed: Keyed, name: str) -> None:
    with pytest.raises(InvalidRequest, match="cannot be a name"):
        await keyed.accounts.add(name, actor=ACTOR)


async def test_local_is_the_account_of_the_time_without_keys(keyed: Keyed) -> None:
    added = await keyed.accounts.add(LOCAL, actor=ACTOR)
    assert added.account_id == LOCAL
    assert await keyed.accounts.find_or_add_local(actor=ACTOR) == added


async def test_an_account_is_disabled_and_enabled_again(keyed: Keyed) -> None:
    await keyed.accounts.add("ala", actor=ACTOR)
    disabled = await keyed.accounts.set_disabled("ala", is_disabled=True, actor=ACTOR)
    enabled = await keyed.accounts.set_disabled("ala", is_disabled=False, actor=ACTOR)
    assert disabled.disabled_at is not None
    assert enabled.disabled_at is None
    assert [entry.action for entry in await keyed.accounts.log(2)] == ["enabled", "disabled"]


@pytest.mark.parametrize(
    ("own", "groups", "expected"),
    [
        (None, (), 5),
        (None, (None,), 5),
        (None, (7, 3), 7),
        (None, (0,), 0),
        (4, (7,), 4),
        (0, (7,), 0),
    ],
)
async def test_the_own_budget_counts_then_the_widest_of_groups_then_the_default(
    keyed: Keyed, own: int | None, groups: tuple[int | None, ...], expected: int
) -> None:
    await keyed.accounts.add("ala", actor=ACTOR, limits=daily(own))
    for number, limit in enumerate(groups):
        await keyed.accounts.add_group(f"g{number}", actor=ACTOR, limits=daily(limit))
        await keyed.accounts.set_member(f"g{number}", "ala", is_member=True, actor=ACTOR)
    defaults = default_quotas(
        QuotaSettings.model_validate({"tokens_per_day": 5, "money_per_month": "1.5"})
    )
    quotas = limits_of(await keyed.accounts.find("ala"), defaults).quotas
    assert (quotas.tokens_per_day, quotas.money_per_month) == (expected, 1_500_000)


def daily(tokens: int | None) -> Limits:
    return Limits(quotas=Quotas(tokens_per_day=tokens))


async def test_a_group_has_a_budget_for_all_of_it_together(keyed: Keyed) -> None:
    await keyed.accounts.add("ala", actor=ACTOR)
    await keyed.accounts.add_group("g", actor=ACTOR)
    await keyed.accounts.set_member("g", "ala", is_member=True, actor=ACTOR)
    total = Quotas(money_per_day=1)
    assert (await keyed.accounts.limit_total("g", lambda _: total, actor=ACTOR)).total == total
    (group,) = (await keyed.accounts.find("ala")).groups
    assert group.total == total
    (told,) = await keyed.accounts.log(1)
    assert (told.action, told.details["total"]) == ("group_total", {"money_per_day": 1})


def tools(*names: str) -> Limits:
    return Limits(tools=frozenset(names))


@pytest.mark.parametrize(
    ("own", "groups", "expected"),
    [
        (NO_LIMITS, (), None),
        (NO_LIMITS, (NO_LIMITS,), None),
        (tools("a"), (), {"a"}),
        (NO_LIMITS, (tools("a"), tools("b"), NO_LIMITS), {"a", "b"}),
        (tools("a", "c"), (tools("a"), tools("b")), {"a"}),
        (tools(), (tools("a"),), set()),
    ],
)
async def test_groups_open_and_the_own_limit_narrows(
    keyed: Keyed, own: Limits, groups: tuple[Limits, ...], expected: set[str] | None
) -> None:
    await keyed.accounts.add("ala", actor=ACTOR)
    await keyed.accounts.limit("ala", lambda _: own, actor=ACTOR)
    for number, limits in enumerate(groups):
        await keyed.accounts.add_group(f"g{number}", actor=ACTOR, limits=limits)
        await keyed.accounts.set_member(f"g{number}", "ala", is_member=True, actor=ACTOR)
    in_force = limits_of(await keyed.accounts.find("ala"))
    assert in_force.tools == expected
    assert in_force.engines is None


async def test_who_leaves_a_group_is_under_its_limit_no_longer(keyed: Keyed) -> None:
    await keyed.accounts.add("ala", actor=ACTOR)
    await keyed.accounts.add_group("g", actor=ACTOR, limits=tools("a"))
    inside = await keyed.accounts.set_member("g", "ala", is_member=True, actor=ACTOR)
    outside = await keyed.accounts.set_member("g", "ala", is_member=False, actor=ACTOR)
    assert (limits_of(inside), limits_of(outside)) == (tools("a"), NO_LIMITS)
    assert [group.name for group in (*inside.groups, *outside.groups)] == ["g"]


async def test_a_groups_limit_can_be_changed_and_lifted(keyed: Keyed) -> None:
    await keyed.accounts.add_group("g", actor=ACTOR, limits=tools("a"))
    changed = await keyed.accounts.limit_group("g", lambda _: tools("b"), actor=ACTOR)
    assert changed.limits == tools("b")
    await keyed.accounts.limit_group("g", lambda _: NO_LIMITS, actor=ACTOR)
    assert [group.limits for group in await keyed.accounts.list_groups()] == [NO_LIMITS]
