"""Seals on the pictures of an export, so that an import knows whose they were."""

import json
from typing import Final

from serving.storage import Keyring

PURPOSE: Final = "exported-picture"


class PictureSeal:
    """Signs for one owner.

    Without it whoever once saw a picture's link could import a conversation that shows the
    picture, and so have links to it for ever.
    """

    def __init__(self, keyring: Keyring, *, owner: str) -> None:
        """``owner`` is the account whose conversations show the pictures."""
        self._keyring = keyring
        self._owner = owner

    def sign(self, image_id: str) -> str:
        """The seal of one picture."""
        return self._keyring.sign(PURPOSE, self._payload(image_id))

    def verify(self, image_id: str, seal: str) -> bool:
        """Whether `sign` made ``seal`` for this picture and this owner."""
        return self._keyring.verify(PURPOSE, self._payload(image_id), seal)

    def _payload(self, image_id: str) -> str:
        return json.dumps([self._owner, image_id])
