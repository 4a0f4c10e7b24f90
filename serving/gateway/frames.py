"""Signs the frames that carry an answer's sources, and verifies those that clients send back."""

import json
from collections.abc import Iterable
from typing import Final

from chatbot.sanitizer import (
    Frame,
    Reason,
    body_digest,
    closing_of,
    describe_source,
    room_for_source,
)
from chatbot.types import Attribution
from serving.storage import Keyring

PURPOSE: Final = "attribution-frame"
_BLANK_LINE: Final = "\n\n"


class FrameSigner:
    """Signs for one owner; whoever else shows its frames gets no trust."""

    def __init__(self, keyring: Keyring, *, owner: str) -> None:
        """``owner`` is the account in whose conversations the frames stand."""
        self._keyring = keyring
        self._owner = owner

    def append_to(self, text: str, sources: Iterable[Attribution], *, message_id: str) -> str:
        """What follows ``text``: after a blank line, one frame a source; nothing without sources.

        What ``text`` leaves open (a fence, a comment, a display formula) is closed first.

        Raises:
            ValueError: a frame cannot hold ``message_id``.
        """
        room = room_for_source(self._keyring.kid, message_id)
        described = dict.fromkeys(describe_source(source, longest=room) for source in sources)
        described.pop("", None)
        if not described:
            return ""
        closing = closing_of(text)
        body = text + closing
        ended = len(body) - len(body.rstrip("\n"))
        digest = body_digest(body)
        lines = [self._sign(visible, digest, message_id).line for visible in described]
        return closing + (_BLANK_LINE[ended:] if body else "") + "\n".join(lines)

    def verify(self, frame: Frame, digest: str) -> Reason:
        """What ``frame`` is worth in a message whose body has ``digest``."""
        if frame.kid not in self._keyring.kids:
            return "unknown_key"
        payload = self._payload(frame.visible, digest, frame.message_id)
        is_signed = self._keyring.verify(PURPOSE, payload, frame.mac)
        return "signature_matches" if is_signed else "signature_differs"

    def _sign(self, visible: str, digest: str, message_id: str) -> Frame:
        mac = self._keyring.sign(PURPOSE, self._payload(visible, digest, message_id))
        return Frame(visible=visible, kid=self._keyring.kid, message_id=message_id, mac=mac)

    def _payload(self, visible: str, digest: str, message_id: str) -> str:
        """What is signed, in a form that can be read in one way only."""
        return json.dumps([self._owner, message_id, digest, visible], ensure_ascii=False)
