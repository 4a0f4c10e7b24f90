"""The pages beside the chat after months of use: signed in, in every size and light."""

import itertools
from collections.abc import Iterator

import pytest
from parts.accessibility import find_faults
from parts.chromium_page import DESKTOP, PHONE, Chromium
from parts.desk_scenes import open_institution, sign_in
from parts.page_geometry import spilled

pytestmark = pytest.mark.parts

SECTIONS = ("users", "groups", "keys", "engines", "errors", "usage")
PAGES = ("/account", "/usage", "/keys", *(f"/admin/{section}" for section in SECTIONS))


@pytest.fixture(scope="module")
def institution(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with open_institution(tmp_path_factory.mktemp("institution")) as url:
        yield url


@pytest.mark.parametrize(
    ("size", "scheme"), [*itertools.product((PHONE, DESKTOP), ("light", "dark"))], ids=str
)
def test_every_page_keeps_nobody_out(
    chromium: Chromium, institution: str, size: dict[str, int], scheme: str
) -> None:
    found: list[str] = []
    with chromium.window(institution, size=size, scheme=scheme) as window:  # type: ignore[arg-type]
        page = window.page
        page.goto("/sign-in")
        found += [f"/sign-in: {fault}" for fault in find_faults(page)]
        sign_in(page, institution)
        for path in PAGES:
            page.goto(path)
            found += [f"{path}: {fault}" for fault in (*find_faults(page), *spilled(page))]
        assert (window.outside, found) == ([], [])
