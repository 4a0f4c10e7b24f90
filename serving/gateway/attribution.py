"""`POST /v1/attribution/verify`: what the frames in a conversation that was kept are worth."""

from starlette.requests import Request
from starlette.responses import Response

from chatbot.sanitizer import Trust, guard_text
from chatbot.types import JsonValue, Message, Text
from serving.gateway.authorization import caller_of
from serving.gateway.completion import encode
from serving.gateway.frames import FrameSigner
from serving.gateway.messages import read_history
from serving.gateway.reading import read_verification
from serving.gateway.rebuilt_calls import RebuiltCalls
from serving.gateway.services import services_of
from serving.gateway.wire import VerificationBody
from serving.http.body import read_body


async def verify_attribution(request: Request) -> Response:
    """Whether the source lines in an answer are this server's own, and the answer unchanged.

    Send `messages` as to a chat completion, or one answer as `text`. Each frame in an assistant's
    message gets a `verdict`: `trusted`; `edited` where the frame names an answer that this account
    got, but its signature is not of this text and source; `not_ours` where it names another key, or
    an answer that this account never got or whose calls are no longer kept. At most 500 frames are
    looked at; `truncated` says whether there were more.
    """
    services = services_of(request)
    limits = services.settings.limits
    body = read_verification(await read_body(request, limits), limits)
    owner = caller_of(request).account
    signer = FrameSigner(services.keyring, owner=owner)
    calls = RebuiltCalls.of(services, signer, owner=owner)
    recalled = await calls.recall(_messages(body))
    return Response(encode(trust_fields(recalled.trust)), media_type="application/json")


def trust_fields(trust: Trust) -> dict[str, JsonValue]:
    """The worth of a conversation's frames as it leaves."""
    return {
        "object": "attribution.verification",
        "frames": [
            {
                "message": checked.position,
                "source": guard_text(checked.frame.visible),
                "message_id": checked.frame.message_id,
                "kid": checked.frame.kid,
                "verdict": checked.verdict,
                "reason": checked.reason,
            }
            for checked in trust.frames
        ],
        "counts": trust.counts(),
        "truncated": not trust.is_whole,
    }


def _messages(body: VerificationBody) -> tuple[Message, ...]:
    if body.text is not None:
        return (Message(role="assistant", parts=(Text(text=body.text),)),)
    return read_history(body.messages or ())
