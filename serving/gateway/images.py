"""`GET /images/{id}.{expires}.{mac}`: a picture, for as long as its link is valid."""

from importlib.resources import files
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from chatbot.errors import ErrorCode, InvalidRequest
from serving.gateway.services import services_of
from serving.storage import LinkState

PLACEHOLDER: Final = "expired.svg"
_GONE: Final = 410
_HEADERS: Final = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
}


async def get_image(request: Request, link: str) -> Response:
    """The picture; 410 with a placeholder once its link has expired, 404 for a forged link."""
    services = services_of(request)
    found = await services.images.find(link)
    if found.state is LinkState.FORGED:
        raise InvalidRequest("there is no such picture", code=ErrorCode.NOT_FOUND)
    if found.path is None:
        placeholder = files("serving.gateway").joinpath(PLACEHOLDER).read_bytes()
        return Response(
            placeholder, _GONE, {**_HEADERS, "cache-control": "no-store"}, "image/svg+xml"
        )
    headers = {**_HEADERS, "cache-control": f"private, max-age={found.left_s}"}
    return FileResponse(found.path, headers=headers, media_type=found.media_type)
