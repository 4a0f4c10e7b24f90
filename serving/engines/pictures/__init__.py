"""Engines that draw, and what their pictures are."""
