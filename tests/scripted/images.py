"""An OpenAI-conformant images endpoint on loopback that draws one colour, as PNG.

Written from platform.openai.com/docs/api-reference/images/create.
"""

import base64
import json

from scripted.picture_faults import png
from scripted.service import Asked, Reply, ScriptedService, json_reply

KEY = "klucz-obrazow"


class ScriptedImages(ScriptedService):
    """Gives ``b64_json``, or a link to itself if asked for ``url``.

    `trouble`: ``refused`` (content policy), ``corrupt`` (no PNG), ``empty`` (no picture).
    """

    trouble: str | None = None

    def answer(self, asked: Asked) -> Reply:
        if asked.path.startswith("/files/"):
            return Reply(body=png(64, 64), media_type="image/png")
        if asked.path != "/v1/images/generations" or asked.method != "POST":
            return json_reply(self.error_body(404), 404)
        if asked.headers.get("Authorization") not in {None, f"Bearer {KEY}"}:
            return json_reply(self.error_body(401), 401)
        wanted = json.loads(asked.body)
        if self.trouble == "refused":
            error = {"code": "content_policy_violation", "type": "invalid_request_error"}
            return json_reply({"error": {"message": "Refused.", **error}}, 400)
        return json_reply({"created": 1_768_478_400, "data": self._pictures(wanted)})

    def error_body(self, status: int) -> object:
        return {"error": {"message": f"Scripted failure {status}", "type": "server_error"}}

    def _pictures(self, wanted: dict[str, object]) -> list[dict[str, str]]:
        if self.trouble == "empty":
            return []
        if wanted.get("response_format") == "url":
            return [{"url": f"{self.url}/files/1.png"}]
        width, _, height = str(wanted.get("size") or "64x64").partition("x")
        data = b"no picture" if self.trouble == "corrupt" else png(int(width), int(height))
        return [{"b64_json": base64.b64encode(data).decode()}]
