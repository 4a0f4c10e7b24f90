"""The address under which clients see this server, for links that have to be absolute."""

import re
from typing import Final

from starlette.requests import Request

from serving.gateway.services import Services

_HOST: Final = re.compile(r"(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")


def base_of_links(request: Request, services: Services) -> str:
    """What makes the link of a picture absolute: the address that the client itself used."""
    if services.settings.public_url is not None:
        return services.settings.public_url.rstrip("/")
    host = request.headers.get("host", "")
    return f"{request.scope['scheme']}://{host}" if _HOST.fullmatch(host) else ""
