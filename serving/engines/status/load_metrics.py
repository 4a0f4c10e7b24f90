"""Where each kind of server tells how busy it is: its metrics' address and names, as data."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, kw_only=True, slots=True)
class LoadMetrics:
    """The gauges of one kind, in Prometheus' text format.

    ``path`` stands at the server's root. ``cache_share`` is the share of the KV cache in use, from
    0 to 1; ``None`` where the kind does not tell it. ``switch`` is what turns the metrics on,
    where they are off as the server is usually started.
    """

    running: str
    waiting: str
    cache_share: str | None = None
    path: str = "/metrics"
    switch: str | None = None


LOAD_METRICS: Mapping[str, LoadMetrics] = MappingProxyType({
    "vllm": LoadMetrics(
        running="vllm:num_requests_running",
        waiting="vllm:num_requests_waiting",
        cache_share="vllm:kv_cache_usage_perc",
    ),
    "sglang": LoadMetrics(
        running="sglang:num_running_reqs",
        waiting="sglang:num_queue_reqs",
        cache_share="sglang:token_usage",
        switch="--enable-metrics",
    ),
    "llamacpp": LoadMetrics(
        running="llamacpp:requests_processing",
        waiting="llamacpp:requests_deferred",
        cache_share="llamacpp:kv_cache_usage_ratio",
        switch="--metrics",
    ),
    "tgi": LoadMetrics(running="tgi_batch_current_size", waiting="tgi_queue_size"),
    "tensorrt": LoadMetrics(
        running="trtllm_num_requests_running",
        waiting="trtllm_num_requests_waiting",
        cache_share="trtllm_kv_cache_utilization",
        path="/prometheus/metrics",
        switch="return_perf_metrics: true in its --extra_llm_api_options",
    ),
    "transformers": LoadMetrics(
        running="zwrotnica_reference_running", waiting="zwrotnica_reference_waiting"
    ),
})
"""By kind; outside providers tell nothing.

Sources: the documentation of vLLM 0.32 and SGLang ("Production Metrics") and of TGI 3 ("Metrics"),
llama.cpp's ``tools/server/README.md`` (newer builds have no ``kv_cache_usage_ratio`` any more), and
``tensorrt_llm/metrics/collector.py`` of TensorRT-LLM, whose ``/metrics`` is JSON of another form.
"""
