"""The web chat behind the gateway's address: its process, and the way to it."""

from serving.page.page import WebPage

__all__ = ["WebPage"]
