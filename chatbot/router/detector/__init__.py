"""A local detector: which tools a Polish prompt asks for, and with what, without a model."""

from chatbot.router.detector.detector import DetectedCall, Detection, Detector

__all__ = ["DetectedCall", "Detection", "Detector"]
