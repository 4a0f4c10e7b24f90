"""The chat and image engines that the gateway talks to."""
