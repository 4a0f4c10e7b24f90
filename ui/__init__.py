"""The web chat: a Gradio page in a process of its own, a client of the gateway's HTTP API."""
