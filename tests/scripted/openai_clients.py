"""OpenAI's own clients of a server on the loopback, whose certificates nobody looks at."""

import openai


def client_of(url: str, *, api_key: str = "none") -> openai.OpenAI:
    """A client of the API at ``url``, which tries nothing twice.

    Loading the certificates of the system, which plain HTTP never needs, takes 30 ms a client.
    """
    transport = openai.DefaultHttpxClient(verify=False)
    return openai.OpenAI(base_url=url, api_key=api_key, max_retries=0, http_client=transport)


def async_client_of(url: str, *, api_key: str = "none") -> openai.AsyncOpenAI:
    """As `client_of`, for an event loop."""
    transport = openai.DefaultAsyncHttpxClient(verify=False)
    return openai.AsyncOpenAI(base_url=url, api_key=api_key, max_retries=0, http_client=transport)
