from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted.product import Product, open_product, open_product_offline
from scripted.stage import Stage, open_stage


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with open_stage(tmp_path) as stage:
        yield stage


@pytest.fixture(scope="session")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    with open_product(tmp_path_factory.mktemp("product")) as product:
        yield product


@pytest.fixture(scope="session")
def offline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    with open_product_offline(tmp_path_factory.mktemp("offline")) as product:
        yield product
