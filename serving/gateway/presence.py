"""Who sends a request: by its key, or by the cookie that counts where the browser came from."""

from starlette.requests import Request

from serving.auth.caller import Caller
from serving.auth.signing_in.tokens import read_cookie
from serving.gateway.services import services_of
from serving.http.origin import is_https


async def identify(request: Request) -> Caller:
    """Whoever sends ``request``.

    Raises:
        Refusal: a key is needed, and there is none that counts (``invalid_api_key``).
        InvalidRequest: there are two different ones.
        StorageUnavailable: the key has to be looked up, and the database cannot be read.
    """
    services = services_of(request)
    return await services.authenticator.identify(
        request.scope["headers"], is_https=is_https(request, services.settings.public_url)
    )


def read_session(request: Request) -> str | None:
    """The text of the session in the browser's cookie, whether or not it is a good one."""
    public_url = services_of(request).settings.public_url
    return read_cookie(request.scope["headers"], is_https=is_https(request, public_url))
