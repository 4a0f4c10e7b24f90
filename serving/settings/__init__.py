"""Every setting, typed and documented, with the one place that reads the environment."""

from serving.settings.auth import AuthSettings
from serving.settings.billing import BillingSettings, PriceSettings
from serving.settings.chat import ChatSettings, PageSettings, StorageSettings
from serving.settings.engine import EMBEDDED, EngineSettings
from serving.settings.environment import (
    multiply_on_one_thread,
    own_environment,
    plain_environment,
    read_variable,
)
from serving.settings.errors import SettingsError
from serving.settings.hardware import HardwareSettings
from serving.settings.image_server import SIDE_STEP, ImageServerSettings
from serving.settings.launching import LaunchSettings, looks_secret
from serving.settings.listing import SettingRow, describe_settings, list_settings
from serving.settings.loading import (
    CONFIG_VARIABLE,
    PREFIX,
    LoadedSettings,
    load,
    load_settings,
)
from serving.settings.model import (
    ROUTED_MODEL,
    AttributionSettings,
    LimitsSettings,
    RouterSettings,
    Settings,
    ToolsSettings,
    TurnSettings,
)
from serving.settings.pictures import ImageEngineSettings, ImagesSettings
from serving.settings.profile import shipped_profiles, summarise_profile
from serving.settings.quotas import QuotaSettings
from serving.settings.replicas import BalanceSettings, Group, ReplicaSettings
from serving.settings.safety import SafetyRuleSettings, SafetySettings
from serving.settings.sampling import SamplingSettings
from serving.settings.sections import is_loopback
from serving.settings.telling import LogSettings, TelemetrySettings

__all__ = [
    "CONFIG_VARIABLE",
    "EMBEDDED",
    "PREFIX",
    "ROUTED_MODEL",
    "SIDE_STEP",
    "AttributionSettings",
    "AuthSettings",
    "BalanceSettings",
    "BillingSettings",
    "ChatSettings",
    "EngineSettings",
    "Group",
    "HardwareSettings",
    "ImageEngineSettings",
    "ImageServerSettings",
    "ImagesSettings",
    "LaunchSettings",
    "LimitsSettings",
    "LoadedSettings",
    "LogSettings",
    "PageSettings",
    "PriceSettings",
    "QuotaSettings",
    "ReplicaSettings",
    "RouterSettings",
    "SafetyRuleSettings",
    "SafetySettings",
    "SamplingSettings",
    "SettingRow",
    "Settings",
    "SettingsError",
    "StorageSettings",
    "TelemetrySettings",
    "ToolsSettings",
    "TurnSettings",
    "describe_settings",
    "is_loopback",
    "list_settings",
    "load",
    "load_settings",
    "looks_secret",
    "multiply_on_one_thread",
    "own_environment",
    "plain_environment",
    "read_variable",
    "shipped_profiles",
    "summarise_profile",
]
