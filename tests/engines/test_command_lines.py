"""The lines that start vLLM, read by vLLM's own parser."""

import json
import os
import subprocess
import tomllib
from pathlib import Path

import pytest
from engines.environment import PYTHON, QUIET, require_installed

from serving.engines.launchers import build_command
from serving.settings import Settings, shipped_profiles

pytestmark = [pytest.mark.engines, pytest.mark.timeout(200)]

PARSE = Path(__file__).with_name("parse_vllm_lines.py")
ENGINES: dict[str, dict[str, object]] = {
    "router": {
        "dialect": "llama3.1",
        "launch": {"weights": "/models/l", "gpus": [0], "gpu_share": 0.25, "sequences": 64},
    },
    "quantised": {"dialect": "bielik", "launch": {"quantisation": "fp8"}},
    "mistral": {"dialect": "mistral", "launch": {"extra_flags": ["--no-enable-prefix-caching"]}},
    "plain": {"dialect": "plain", "launch": {"extra_flags": ["--tool-call-parser=pythonic"]}},
    "cluster": {
        "launch": {
            "tensor_parallel": 4,
            "pipeline_parallel": 2,
            "expert_parallel": True,
            "nodes": 2,
            "program": ["python", "-m", "vllm.entrypoints.openai.api_server"],
        },
    },
}
PROFILES = {
    name: Settings.model_validate(tomllib.loads(text)) for name, text in shipped_profiles().items()
}


@pytest.fixture(scope="module")
def read() -> dict[str, dict[str, str]]:
    """What vLLM makes of the line of each engine, all read by one process: it takes 20 s.

    Those of profiles are called `PROFILE/ENGINE`.
    """
    require_installed()
    table = {
        name: {"kind": "vllm", "port": 8001 + index, "model": f"org/{name}"} | engine
        for index, (name, engine) in enumerate(ENGINES.items())
    }
    settings = Settings.model_validate({
        "engines": table,
        "default_engine": "quantised",
        "router": {"engine": "router"},
    })
    commands = {name: build_command(name, settings) for name in ENGINES} | {
        f"{profile}/{name}": build_command(name, found)
        for profile, found in PROFILES.items()
        for name, engine in found.engines.items()
        if engine.kind == "vllm"
    }
    programs = [command.program for command in commands.values()]
    lines = [words[3:] if words[1] == "-m" else words[2:] for words in programs]
    run = subprocess.run(
        [PYTHON, PARSE],
        input=json.dumps(lines),
        stdout=subprocess.PIPE,
        env=os.environ | QUIET,
        text=True,
        check=True,
        timeout=300,
    )
    found: list[dict[str, str]] = json.loads(run.stdout.splitlines()[-1])
    return dict(zip(commands, found, strict=True))


@pytest.mark.parametrize(
    ("engine", "expected"),
    [
        (
            "router",
            {
                "model_tag": "/models/l",
                "served_model_name": "['org/router']",
                "host": "127.0.0.1",
                "port": "8001",
                "max_model_len": "8192",
                "gpu_memory_utilization": "0.25",
                "max_num_seqs": "64",
                "scheduling_policy": "priority",
                "enable_prefix_caching": "True",
                "enable_auto_tool_choice": "True",
                "tool_call_parser": "llama3_json",
            },
        ),
        (
            "quantised",
            {"quantization": "fp8", "tool_call_parser": "hermes", "scheduling_policy": "fcfs"},
        ),
        ("mistral", {"tool_call_parser": "mistral", "enable_prefix_caching": "False"}),
        ("plain", {"tool_call_parser": "pythonic", "enable_auto_tool_choice": "True"}),
        (
            "cluster",
            {
                "model_tag": "None",
                "model": "org/cluster",
                "tensor_parallel_size": "4",
                "pipeline_parallel_size": "2",
                "enable_expert_parallel": "True",
                "distributed_executor_backend": "ray",
            },
        ),
    ],
)
def test_vllm_reads_its_line_as_it_is_meant(
    read: dict[str, dict[str, str]], engine: str, expected: dict[str, str]
) -> None:
    assert {name: read[engine][name] for name in expected} == expected


@pytest.mark.parametrize(
    ("profile", "engine"),
    [
        (profile, name)
        for profile, settings in PROFILES.items()
        for name, engine in settings.engines.items()
        if engine.kind == "vllm"
    ],
)
def test_vllm_reads_every_line_of_every_profile(
    read: dict[str, dict[str, str]], profile: str, engine: str
) -> None:
    configured = PROFILES[profile].engines[engine]
    launch = configured.launch
    assert launch is not None
    line = read[f"{profile}/{engine}"]
    assert line["model_tag"] == (launch.weights or configured.model)
    assert line["served_model_name"] == f"[{configured.model!r}]"
    assert line["max_model_len"] == str(configured.context_tokens)
    assert line["gpu_memory_utilization"] == str(launch.gpu_share)
    assert line["tensor_parallel_size"] == str(launch.tensor_parallel)
    assert line["pipeline_parallel_size"] == str(launch.pipeline_parallel)
    assert line["distributed_executor_backend"] == ("ray" if launch.nodes > 1 else "None")
