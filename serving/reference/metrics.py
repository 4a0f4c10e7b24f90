"""The figures of the reference server."""

from serving.telemetry import HttpMetrics


class ReferenceMetrics(HttpMetrics):
    """The figures of one reference server."""

    def __init__(self) -> None:
        """Every figure starts at zero."""
        super().__init__()
        self.waiting = self._level("reference_waiting", "Requests that wait for a batch.")
        self.running = self._level("reference_running", "Requests in the batch, not finished.")
        self.wait_seconds = self._time("reference_wait_seconds", "From a request to its batch.")
        self.first_token_seconds = self._time(
            "reference_first_token_seconds", "From a request to its first token."
        )
        self.step_seconds = self._time(
            "reference_step_seconds", "Seconds of the model for a token of each row."
        )
        self.prompt_tokens = self._count("reference_prompt_tokens", "Tokens of prompts begun.")
        self.generated_tokens = self._count(
            "reference_generated_tokens", "Tokens generated for somebody."
        )
        self.idle_tokens = self._count(
            "reference_idle_tokens", "Tokens computed for rows that had ended: the batch's price."
        )
        self.batches = self._count("reference_batches", "Batches begun.")
        self.refused = self._count("reference_refused", "Requests refused by a full queue.")
        self.cancelled = self._count(
            "reference_cancelled", "Requests whose client left: waiting or running.", "phase"
        )
