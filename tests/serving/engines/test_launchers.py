"""The command line of every kind, to the letter, and what is refused before a start."""

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from scripted.tables import every_row

from serving.engines.kinds import ENGINE_KINDS
from serving.engines.launchers import LAUNCHERS, CommandLine, build_command
from serving.reference.__main__ import reference
from serving.settings import EMBEDDED, Settings, SettingsError

FLAGS = Path(__file__).parent / "documented_flags"
KEY = "tajny-klucz-routera"
EVERYTHING: dict[str, dict[str, object]] = {
    "sglang": {
        "quantisation": "fp8",
        "gpu_share": 0.4,
        "tensor_parallel": 2,
        "pipeline_parallel": 2,
        "expert_parallel": True,
        "sequences": 32,
    },
    "llamacpp": {"sequences": 4, "gpus": [], "weights": "/models/b.gguf"},
    "tgi": {"quantisation": "awq", "gpu_share": 0.5, "tensor_parallel": 2},
    "tensorrt": {
        "weights": "/models/b",
        "tensor_parallel": 2,
        "pipeline_parallel": 2,
        "expert_parallel": True,
        "sequences": 32,
    },
}


def settings(
    kind: str, launch: Mapping[str, object] | None = None, *, role: str = "answer", **engine: object
) -> Settings:
    table = {"kind": kind, "port": 8001, "model": "org/m", "launch": launch} | engine
    return Settings.model_validate({
        "engines": {"one": table},
        "router": {"engine": "one" if role == "router" else "embedded"},
    })


def command(
    kind: str, launch: Mapping[str, object] | None = None, *, role: str = "answer", **engine: object
) -> CommandLine:
    return build_command("one", settings(kind, launch, role=role, **engine))


def test_every_kind_but_those_outside_and_in_process_can_be_started() -> None:
    started = {
        name for name, kind in ENGINE_KINDS.items() if not kind.is_external and name != EMBEDDED
    }
    assert set(LAUNCHERS) == started


def test_vllm_as_the_routers_engine_on_a_share_of_one_card() -> None:
    launch = {
        "weights": "/models/llama",
        "gpus": [0],
        "gpu_share": 0.25,
        "quantisation": "fp8",
        "sequences": 64,
    }
    line = command("vllm", launch, role="router", dialect="llama3.1", context_tokens=4096)
    assert line.shown() == (
        "CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=0 "
        "vllm serve /models/llama --served-model-name org/m --host 127.0.0.1 --port 8001 "
        "--max-model-len 4096 --quantization fp8 --gpu-memory-utilization 0.25 --max-num-seqs 64 "
        "--scheduling-policy priority --enable-auto-tool-choice --tool-call-parser llama3_json "
        "--enable-prefix-caching"
    )


def test_vllm_over_the_machines_of_a_ray_cluster() -> None:
    launch = {
        "tensor_parallel": 4,
        "pipeline_parallel": 2,
        "expert_parallel": True,
        "nodes": 2,
        "host": "0.0.0.0",  # noqa: S104 - what is tested
    }
    line = command("vllm", launch, port=None, url="http://gpu1:8001/v1")
    assert line.shown() == (
        "vllm serve org/m --served-model-name org/m --host 0.0.0.0 --port 8001 "
        "--max-model-len 8192 --tensor-parallel-size 4 --pipeline-parallel-size 2 "
        "--enable-expert-parallel --distributed-executor-backend ray --enable-prefix-caching"
    )


def test_vllms_module_takes_the_weights_by_name() -> None:
    line = command("vllm", {"program": ["python", "-m", "vllm.entrypoints.openai.api_server"]})
    assert line.shown().startswith("python -m vllm.entrypoints.openai.api_server --model org/m ")


def test_llamacpp_multiplies_the_context_by_its_slots() -> None:
    launch = {"weights": "/models/b.gguf", "sequences": 4, "gpus": []}
    assert command("llamacpp", launch).shown() == (
        "CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES='' "
        "llama-server --model /models/b.gguf --alias org/m --host 127.0.0.1 --port 8001 "
        "--ctx-size 32768 --parallel 4 --n-gpu-layers 0 --jinja --metrics"
    )


def test_llamacpp_takes_a_repository_with_its_quantisation() -> None:
    line = command("llamacpp", {"weights": "org/m-GGUF", "quantisation": "Q4_K_M"})
    assert line.shown() == (
        "llama-server --hf-repo org/m-GGUF:Q4_K_M --alias org/m --host 127.0.0.1 --port 8001 "
        "--ctx-size 8192 --jinja --metrics"
    )


def test_tgi_over_two_cards() -> None:
    launch = {"gpus": [2, 3], "tensor_parallel": 2, "quantisation": "awq", "gpu_share": 0.5}
    assert command("tgi", launch).shown() == (
        "CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=2,3 "
        "text-generation-launcher --model-id org/m --hostname 127.0.0.1 --port 8001 "
        "--max-input-tokens 8191 --max-total-tokens 8192 --quantize awq "
        "--cuda-memory-fraction 0.5 --shard-uds-path /tmp/text-generation-one --num-shard 2 "
        "--master-port 28001"
    )


def test_tensorrt_over_two_cards() -> None:
    launch = {"tensor_parallel": 2, "expert_parallel": True, "sequences": 32}
    assert command("tensorrt", launch).shown() == (
        "trtllm-serve org/m --host 127.0.0.1 --port 8001 --backend pytorch --max_seq_len 8192 "
        "--max_batch_size 32 --tp_size 2 --ep_size 2"
    )


def test_sglang_over_two_cards() -> None:
    launch = {"tensor_parallel": 2, "gpu_share": 0.4}
    assert command("sglang", launch, dialect="bielik").shown() == (
        "sglang serve --model-path org/m --served-model-name org/m --host 127.0.0.1 --port 8001 "
        "--context-length 8192 --mem-fraction-static 0.4 --tp-size 2 --tool-call-parser hermes "
        "--enable-metrics"
    )


def test_the_reference_server_on_the_processor() -> None:
    assert command("transformers", {"gpus": [], "sequences": 16}).shown() == (
        f"CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES='' {shlex.quote(sys.executable)} "
        "-m serving.reference --model org/m --served-model-name org/m --host 127.0.0.1 "
        "--port 8001 --context 8192 --batch 16 --device cpu"
    )


@pytest.mark.parametrize("kind", EVERYTHING)
def test_every_flag_is_documented_by_the_servers_makers(kind: str) -> None:
    documented = set((FLAGS / f"{kind}.txt").read_text(encoding="utf-8").splitlines()[1:])
    line = command(kind, EVERYTHING[kind], dialect="llama3.1")
    given = {word for word in line.program if word.startswith("--")}
    assert given - documented == set()


def test_the_reference_servers_own_parser_takes_every_flag() -> None:
    launch: dict[str, object] = {"gpus": [0], "sequences": 16}
    words = command("transformers", launch, api_key=KEY).program
    assert words[1:3] == ("-m", "serving.reference")
    parsed = reference.make_context("reference", list(words[3:])).params
    assert (parsed["model"], parsed["served_model_name"]) == ("org/m", "org/m")
    assert (parsed["port"], parsed["batch"], parsed["context"]) == (8001, 16, 8192)
    assert (parsed["device"], parsed["api_key_variable"]) == ("cuda", "REFERENCE_API_KEY")


def test_an_engine_on_this_machine_needs_no_launch_table() -> None:
    assert command("vllm").program[:3] == ("vllm", "serve", "org/m")


def test_extra_flags_come_last_and_may_turn_a_default_off() -> None:
    extra = ["--no-enable-prefix-caching", "--seed", "-1"]
    program = command("vllm", {"extra_flags": extra}).program
    assert program[-3:] == tuple(extra)
    assert "--enable-prefix-caching" not in program


def test_a_parser_named_by_hand_is_the_only_one() -> None:
    launch: dict[str, object] = {"extra_flags": ["--tool-call-parser=pythonic"]}
    words = command("vllm", launch, dialect="llama3.1").program
    assert [word for word in words if "parser" in word] == ["--tool-call-parser=pythonic"]
    assert "--enable-auto-tool-choice" in words


@pytest.mark.parametrize(
    ("kind", "variable"),
    [
        ("vllm", "VLLM_API_KEY"),
        ("llamacpp", "LLAMA_API_KEY"),
        ("tgi", "API_KEY"),
        ("transformers", "REFERENCE_API_KEY"),
    ],
)
def test_the_key_goes_by_the_environment_and_is_never_shown(kind: str, variable: str) -> None:
    line = command(kind, api_key=KEY)
    assert line.environment[variable] == KEY
    assert f"{variable}=***" in line.shown()
    assert KEY not in line.shown() + repr(line) + str(dict(line.shown_environment))


def test_a_key_that_sglang_would_show_is_refused_but_one_in_a_file_is_not() -> None:
    with pytest.raises(SettingsError, match="give --config FILE"):
        command("sglang", api_key=KEY)
    line = command("sglang", {"extra_flags": ["--config", "k.yaml"]}, api_key=KEY)
    assert KEY not in repr(line)


@every_row(
    "launch",
    [
        {"extra_flags": ["--api-key", KEY]},
        {"extra_flags": ["--hf_token=hf_1"]},
        {"extra_flags": [f"--override={KEY}"]},
        {"program": ["env", f"K={KEY}", "vllm", "serve"]},
        {"environment": {"HEADER": f"Bearer {KEY}"}},
    ],
)
def test_a_key_in_the_command_line_is_refused_without_showing_it(launch: dict[str, object]) -> None:
    with pytest.raises(SettingsError) as caught:
        command("vllm", launch, api_key=KEY)
    assert KEY not in caught.value.message


@every_row(
    ("kind", "launch", "word"),
    [
        ("llamacpp", {"gpu_share": 0.5}, "launch.gpu_share.*--n-gpu-layers"),
        ("llamacpp", {"weights": "b.gguf", "quantisation": "Q4"}, "launch.quantisation"),
        ("tgi", {"pipeline_parallel": 2}, "launch.pipeline_parallel.*tensor_parallel"),
        ("tgi", {"weights": "/models/m"}, "model: the server can only call it '/models/m'"),
        ("tensorrt", {"gpu_share": 0.5}, "--kv_cache_free_gpu_memory_fraction"),
        ("sglang", {"nodes": 2}, "--dist-init-addr"),
        ("transformers", {"quantisation": "int8"}, "launch.quantisation.*baseline"),
        ("vllm", {"gpus": [0, 1]}, "names 2, but the server makes use of 1"),
        ("vllm", {"tensor_parallel": 3, "nodes": 2}, "dealt out evenly over 2 machines"),
        ("vllm", {"tensor_parallel": 2, "nodes": 2, "gpus": [0]}, "Ray deals out"),
        ("vllm", {"extra_flags": ["--port=9"]}, "'--port': a setting speaks of it already"),
        ("vllm", {"extra_flags": ["--max_model_len", "1"]}, "'--max-model-len'"),
        ("vllm", {"extra_flags": ["--hf-token=hf_1"]}, "that 'launch.inherit' names"),
        ("vllm", {"extra_flags": ["--model", "x"]}, "'--model'"),
        ("vllm", {"tensor_parallel": 2, "extra_flags": ["-tp", "4"]}, "'-tp'"),
        ("llamacpp", {"extra_flags": ["-c", "1"]}, "'-c'"),
        ("llamacpp", {"extra_flags": ["-m", "x.gguf"]}, "'-m'"),
    ],
)
def test_what_a_kind_cannot_honour_is_refused_with_a_remedy(
    kind: str, launch: dict[str, object], word: str
) -> None:
    with pytest.raises(SettingsError, match=word):
        command(kind, launch)


@every_row(
    ("kind", "engine", "word"),
    [
        ("openai", {}, "nothing is started for the kind 'openai'"),
        ("vllm", {"model": None}, "needs its 'model'"),
        ("vllm", {"port": None, "url": "https://127.0.0.1:1/v1"}, "'http://HOST:PORT/v1'"),
        ("vllm", {"port": None, "url": "http://127.0.0.1:8001"}, "'http://HOST:PORT/v1'"),
        (
            "vllm",
            {"port": None, "url": "http://gpu1:1/v1"},
            "another machine's.*engines.one.launch",
        ),
        ("vllm", {"dialect": "lama"}, "no dialect 'lama'"),
        ("vllm", {"dialect": "plain"}, "give --tool-call-parser NAME"),
        ("tensorrt", {"api_key": KEY}, "asks for no key"),
    ],
)
def test_an_engine_that_cannot_be_started_is_refused(
    kind: str, engine: dict[str, object], word: str
) -> None:
    with pytest.raises(SettingsError, match=word):
        command(kind, **engine)  # type: ignore[arg-type] # a table of settings


def test_an_unknown_engine_is_named_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="no engine 'two'; engines: one"):
        build_command("two", settings("vllm"))


def test_the_second_routers_engine_serves_by_priority_too() -> None:
    both = {"kind": "vllm", "port": 8001, "model": "m", "dialect": "hermes"}
    found = Settings.model_validate({
        "engines": {"small": both, "large": both | {"port": 8002}, "other": both | {"port": 8003}},
        "router": {"engine": "small", "second_engine": "large"},
        "default_engine": "other",
    })
    has_priority = {
        name: "priority" in build_command(name, found).program for name in found.engines
    }
    assert has_priority == {"small": True, "large": True, "other": False}
