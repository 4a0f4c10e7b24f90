import click
import pytest
from click.testing import CliRunner

from evals.bench.cli import bench
from evals.bench.gateway.recipes import RECIPES, read_recipe
from evals.bench.gateway.targets import read_target


@pytest.mark.parametrize(
    ("text", "model", "pid"),
    [
        ("mine=http://127.0.0.1:1/v1", "default", None),
        ("mine=http://127.0.0.1:1/v1,bielik", "bielik", None),
        ("mine=http://127.0.0.1:1/v1,77", "default", 77),
        ("mine=http://127.0.0.1:1/v1,bielik,77", "bielik", 77),
    ],
)
def test_a_target_is_named_with_model_and_process(text: str, model: str, pid: int | None) -> None:
    target = read_target(text)

    assert (target.name, target.model, target.pid) == ("mine", model, pid)
    assert target.endpoint == ("127.0.0.1", 1, "/v1/chat/completions")


def test_a_target_behind_tls_is_refused() -> None:
    with pytest.raises(click.BadParameter, match="plain http"):
        read_target("mine=https://127.0.0.1/v1")


def test_streams_that_are_no_numbers_are_refused_by_their_own_name() -> None:
    refused = CliRunner().invoke(bench, ["gateway", "--streams", "1,x"])

    assert refused.exit_code == 2
    assert "Invalid value for --streams" in refused.output


def test_a_gateway_installed_elsewhere_is_named_by_its_command() -> None:
    assert read_recipe("litellm=/opt/litellm/bin/litellm -v").command == (
        "/opt/litellm/bin/litellm",
        "-v",
    )
    assert read_recipe("nginx") == RECIPES["nginx"]
