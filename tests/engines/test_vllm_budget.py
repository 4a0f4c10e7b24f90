"""The memory budget's count of a token's cache against the cache that vLLM makes of a gibibyte."""

import re

import pytest
import requests
from engines.model_server import ModelServer
from engines.slow_twin import TINY

from serving.engines.budget import Hardware, compute_budget
from serving.settings import Settings

pytestmark = [pytest.mark.engines, pytest.mark.timeout(400)]

GIB = 2**30  # what zwrotnica.toml gives each server for its cache
IN_32_BITS = 2  # it runs in float32, the budget counts 16 bits
CONTEXT = 4096


@pytest.fixture
def cache(parser_off: ModelServer) -> dict[str, str]:
    """What vLLM tells of its cache."""
    text = requests.get(f"{parser_off.url}/metrics", timeout=10).text
    line = next(line for line in text.splitlines() if line.startswith("vllm:cache_config_info{"))
    return dict(re.findall(r'(\w+)="([^"]*)"', line))


def test_a_tokens_cache_is_as_large_as_vllm_makes_it(cache: dict[str, str]) -> None:
    engine = {
        "kind": "vllm",
        "port": 1,
        "context_tokens": CONTEXT,
        "launch": {"weights": str(TINY)},
    }
    settings = Settings.model_validate({"engines": {"one": engine}})
    budget = compute_budget(settings, Hardware(cards=(80 * GIB,), ram=None))
    need = budget.places[0].entries[0].claim.need
    assert need is not None
    blocks = GIB // (need.token * IN_32_BITS) // int(cache["block_size"])
    assert int(cache["kv_cache_size_tokens"]) == blocks * int(cache["block_size"])
    assert int(cache["kv_cache_size_tokens"]) // CONTEXT == GIB // (need.cache * IN_32_BITS)
