"""Serves styles, scripts and fonts of the page under an address that changes with them."""

import gzip
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

FOLDER: Final = Path(__file__).parent
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
_PACKED: Final = {".css", ".js", ".svg"}
FOREVER: Final = "public, max-age=31536000, immutable"
"""How long a browser may keep what is under a name that changes with it."""


class LookFiles:
    """The files beside this module, read once; their folder's name is a digest of them all."""

    def __init__(self, folder: Path = FOLDER) -> None:
        """Read every style, script, picture and font of ``folder``."""
        paths = sorted(path for path in folder.rglob("*") if path.suffix in _TYPES)
        self._contents: Mapping[str, bytes] = {path.name: path.read_bytes() for path in paths}
        self._packed = {
            name: gzip.compress(body, mtime=0)
            for name, body in self._contents.items()
            if Path(name).suffix in _PACKED
        }
        self.digest = sha256(b"\0".join(self._contents.values())).hexdigest()[:12]

    @property
    def names(self) -> tuple[str, ...]:
        """Every file's name."""
        return tuple(self._contents)

    @property
    def first_fonts(self) -> tuple[str, ...]:
        """The fonts that every page needs at once."""
        return tuple(name for name in self.names if name.endswith("-normal.woff2"))

    @property
    def route(self) -> Route:
        """The route that serves them, to stand before Gradio's."""
        return Route("/look/{digest}/{name}", self._serve, methods=["GET"])

    def url(self, name: str) -> str:
        """Where a browser gets ``name``; `KeyError` where there is no such file."""
        self._contents[name]
        return f"/look/{self.digest}/{name}"

    def text(self, name: str) -> str:
        """A file's text."""
        return self._contents[name].decode()

    def size(self, name: str) -> int:
        """Bytes that travel for ``name``."""
        return len(self._packed.get(name, self._contents[name]))

    async def _serve(self, request: Request) -> Response:
        name = request.path_params["name"]
        body = self._contents.get(name)
        if body is None:
            return PlainTextResponse("not found", status_code=404)
        kind = _TYPES[Path(name).suffix]
        headers = {"cache-control": FOREVER, "vary": "accept-encoding"}
        if name in self._packed and "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            body = self._packed[name]
        return Response(body, media_type=kind, headers=headers)
