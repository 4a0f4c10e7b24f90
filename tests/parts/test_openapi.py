"""Every operation of the OpenAPI document, asked with whatever its schemas allow and do not."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings as examples
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)
from scripted.gateway import Backstage, RunningGateway, running_gateway
from scripted.keyed import make_keys
from scripted.patience import PATIENCE_S
from scripted.walls import name_of

from serving.auth.scopes import ALL
from serving.gateway.authorization import PUBLIC
from serving.gateway.route_table import OPENAPI, ROUTES, Route
from serving.settings import AuthSettings, LimitsSettings, Settings

pytestmark = pytest.mark.parts

EXAMPLES: Final = 20
"""Requests for each operation and kind of data; which they are, the operation alone decides."""
CHECKS: Final = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
    ignored_auth,
)
SHOWN: Final = [route for route in ROUTES if route.is_shown]


@dataclass(frozen=True, kw_only=True)
class Documented:
    """A gateway, its document, and a key that opens everything."""

    gateway: RunningGateway
    schema: Any  # schemathesis has no narrower type for all kinds of documents
    key: str


@pytest.fixture(scope="module")
def documented(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Documented]:
    folder: Path = tmp_path_factory.mktemp("documented")
    settings = Settings(
        data_dir=folder,
        limits=LimitsSettings(heartbeat_s=0.2, drain_s=0.5),
        auth=AuthSettings(keys=100_000),
    )
    key = make_keys(settings, ala=ALL)["ala"]
    with running_gateway(settings, Backstage()) as gateway:
        document = requests.get(gateway.url + OPENAPI, timeout=PATIENCE_S).json()
        yield Documented(gateway=gateway, schema=schemathesis.openapi.from_dict(document), key=key)


@pytest.mark.parametrize("route", SHOWN, ids=name_of)
def test_what_is_allowed_is_answered_as_documented(documented: Documented, route: Route) -> None:
    ask_all(documented, route, GenerationMode.POSITIVE)


@pytest.mark.parametrize("route", [one for one in SHOWN if one.scopes != PUBLIC], ids=name_of)
def test_what_is_not_allowed_is_refused_as_documented(documented: Documented, route: Route) -> None:
    ask_all(documented, route, GenerationMode.NEGATIVE)


def ask_all(documented: Documented, route: Route, mode: GenerationMode) -> None:
    """Ask one operation with data of one kind, and look at each reply."""
    operation = documented.schema[route.path.replace(":path}", "}")][route.method]

    @examples(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:  # noqa: ANN401 - schemathesis' own
        case.call_and_validate(
            base_url=documented.gateway.url,
            headers={"Authorization": f"Bearer {documented.key}"},
            checks=list(CHECKS),
            timeout=PATIENCE_S,
        )

    ask()
