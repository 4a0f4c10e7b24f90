"""The web chat behind the gateway's address: its process, and the way to it."""

from serving.page.page import PageLife, WebPage, make_process

__all__ = ["PageLife", "WebPage", "make_process"]
