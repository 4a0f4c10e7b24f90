"""The data folder, made private to the user who runs the server."""

from pathlib import Path

from serving.settings import SettingsError


def open_data_dir(path: Path) -> Path:
    """Make the folder (mode 0700) where it is missing and return its absolute path.

    Raises:
        SettingsError: it cannot be made, or is no folder.
    """
    folder = path.expanduser().absolute()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        message = f"data_dir {str(folder)!r} cannot be used: {error.strerror}"
        raise SettingsError(message) from error
    return folder
