"""How busy an engine is, read from the metrics of each kind of server."""

from hypothesis import given, strategies as st
from scripted.tables import every_row

from serving.engines.kinds import ENGINE_KINDS
from serving.engines.status.load import EngineLoad, parse_load
from serving.engines.status.load_metrics import LOAD_METRICS
from serving.reference.metrics import ReferenceMetrics

VLLM = LOAD_METRICS["vllm"]
VLLM_TEXT = """\
# HELP vllm:num_requests_running Number of requests in model execution batches.
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{engine="0",model_name="llama"} 2.0
# HELP vllm:num_requests_waiting Number of requests waiting to be processed.
# TYPE vllm:num_requests_waiting gauge
vllm:num_requests_waiting{engine="0",model_name="llama"} 1.0
# TYPE vllm:kv_cache_usage_perc gauge
vllm:kv_cache_usage_perc{engine="0",model_name="llama"} 0.25
# TYPE vllm:num_requests_waiting_by_reason gauge
vllm:num_requests_waiting_by_reason{reason="capacity"} 9.0
"""
TEXTS = {
    "vllm": (VLLM_TEXT, EngineLoad(running=2, waiting=1, cache_share=0.25)),
    "sglang": (
        (
            'sglang:num_running_reqs{model_name="m"} 3.0\n'
            'sglang:num_queue_reqs{model_name="m"} 7.0\n'
            'sglang:token_usage{model_name="m"} 0.28\n'
        ),
        EngineLoad(running=3, waiting=7, cache_share=0.28),
    ),
    "llamacpp": (
        "llamacpp:requests_processing 1\nllamacpp:requests_deferred 4\n",
        EngineLoad(running=1, waiting=4),
    ),
    "tgi": (
        "# TYPE tgi_queue_size gauge\ntgi_queue_size 2\ntgi_batch_current_size 8\n",
        EngineLoad(running=8, waiting=2),
    ),
    "tensorrt": (
        (
            'trtllm_num_requests_running{engine_type="trtllm",model_name="m"} 5.0\n'
            'trtllm_num_requests_waiting{engine_type="trtllm",model_name="m"} 0.0\n'
            'trtllm_kv_cache_utilization{engine_type="trtllm",model_name="m"} 0.62\n'
        ),
        EngineLoad(running=5, waiting=0, cache_share=0.62),
    ),
}


@every_row("kind", TEXTS)
def test_each_kinds_figures_are_read(kind: str) -> None:
    text, load = TEXTS[kind]
    assert parse_load(text, LOAD_METRICS[kind]) == load


def test_our_reference_server_tells_what_the_table_asks_for() -> None:
    metrics = ReferenceMetrics()
    metrics.running.set(2)
    metrics.waiting.set(3)
    load = parse_load(metrics.render().decode(), LOAD_METRICS["transformers"])
    assert load == EngineLoad(running=2, waiting=3)


def test_engines_of_one_server_are_added_up_and_the_fullest_cache_counts() -> None:
    second = VLLM_TEXT.replace('engine="0"', 'engine="1"').replace("0.25", "0.75")
    load = parse_load(VLLM_TEXT + second, VLLM)
    assert load == EngineLoad(running=4, waiting=2, cache_share=0.75)


@every_row("value", ["NaN", "-1", "+Inf", "1e30", "9" * 400, "many", ""])
def test_a_figure_that_cannot_be_is_none(value: str) -> None:
    assert parse_load(f"vllm:num_requests_running {value}\n", VLLM) == EngineLoad()


def test_a_cache_cannot_be_fuller_than_full() -> None:
    assert parse_load("vllm:kv_cache_usage_perc 31.0\n", VLLM).cache_share is None


def test_a_broken_line_does_not_hide_the_others() -> None:
    text = 'vllm:num_requests_running{engine="0} 5\n' + VLLM_TEXT
    assert parse_load(text, VLLM).running == 2


@given(st.text(alphabet=st.sampled_from('{}",=\\ \t\n#_a0.-\x00é'), max_size=60))
def test_no_text_raises(tail: str) -> None:
    assert isinstance(parse_load(f"vllm:num_requests_running{{{tail}", VLLM), EngineLoad)


def test_long_hostile_lines_are_read_only_in_part() -> None:
    line = "vllm:num_requests_running{" + '\\"' * 100_000 + "\n"
    assert parse_load(line * 10, VLLM) == EngineLoad()


def test_every_row_belongs_to_a_kind_of_our_own_servers() -> None:
    external = {name for name, kind in ENGINE_KINDS.items() if kind.is_external}
    assert set(LOAD_METRICS) == set(ENGINE_KINDS) - external - {"embedded"}
