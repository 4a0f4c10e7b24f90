"""Where spans go: one collector, by OTLP over HTTP, whatever it answers and however slowly."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final

import requests
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace.export import SpanExporter

TRACES_PATH: Final = "/v1/traces"
_REPLY_BYTES: Final = 4096
_OF_PROTOCOL: Final = frozenset({"content-type", "content-encoding", "user-agent"})


def make_exporter(endpoint: str, *, headers: Mapping[str, str], limit_s: float) -> SpanExporter:
    """Sends batches to ``endpoint`` with ``headers``, each with its repeats in ``limit_s`` seconds.

    ``endpoint`` is the collector's base address, or the whole one that ends in ``/v1/traces``.
    """
    url = endpoint.rstrip("/")
    return OTLPSpanExporter(
        endpoint=url if url.endswith(TRACES_PATH) else url + TRACES_PATH,
        timeout=limit_s,
        compression=Compression.Gzip,
        session=_Session(headers),
    )


class _Session(requests.Session):
    """Sends our headers alone, through no proxy, and reads little of a reply.

    The exporter would add headers of the environment, and read whatever comes.
    """

    def __init__(self, headers: Mapping[str, str]) -> None:
        super().__init__()
        self.trust_env = False
        self._own = dict(headers)

    def request(self, method: str, url: str, **options: Any) -> requests.Response:  # type: ignore[override]  # noqa: ANN401  # the exporter's call
        given = options.pop("headers", None) or {}
        kept = {name: value for name, value in given.items() if name.lower() in _OF_PROTOCOL}
        with super().request(method, url, **options, headers=kept | self._own, stream=True) as got:
            if got.is_redirect:
                raise requests.TooManyRedirects("the collector sends its spans elsewhere")
            reply = requests.Response()
            reply.status_code, reply.reason, reply.headers = (
                got.status_code,
                got.reason,
                got.headers,
            )
            reply.raw = BytesIO(got.raw.read(_REPLY_BYTES, decode_content=False))
            return reply
