"""Every setting, typed and documented, with the one place that reads the environment."""

from serving.settings.listing import SettingRow, describe_settings, list_settings
from serving.settings.loading import (
    CONFIG_VARIABLE,
    PREFIX,
    LoadedSettings,
    SettingsError,
    load,
    load_settings,
)
from serving.settings.model import (
    EMBEDDED,
    ROUTED_MODEL,
    EngineSettings,
    ImageEngineSettings,
    ImagesSettings,
    LimitsSettings,
    LogSettings,
    RouterSettings,
    Settings,
    ToolsSettings,
    TurnSettings,
)

__all__ = [
    "CONFIG_VARIABLE",
    "EMBEDDED",
    "PREFIX",
    "ROUTED_MODEL",
    "EngineSettings",
    "ImageEngineSettings",
    "ImagesSettings",
    "LimitsSettings",
    "LoadedSettings",
    "LogSettings",
    "RouterSettings",
    "SettingRow",
    "Settings",
    "SettingsError",
    "ToolsSettings",
    "TurnSettings",
    "describe_settings",
    "list_settings",
    "load",
    "load_settings",
]
