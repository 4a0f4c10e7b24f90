"""What the processes keep in the data folder: the root secret, pictures, conversations.

The database is imported from its own modules: SQLAlchemy takes 0.2 s, which only a gateway pays.
"""

from serving.storage.folder import open_data_dir
from serving.storage.images import FoundImage, LinkState, StoredImages
from serving.storage.secret import Keyring, load_keyring

__all__ = [
    "FoundImage",
    "Keyring",
    "LinkState",
    "StoredImages",
    "load_keyring",
    "open_data_dir",
]
