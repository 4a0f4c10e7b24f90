"""What can go wrong between us and a server, below the meaning of any reply."""


class ConnectFailed(ConnectionError):
    """No connection came about: refused, unknown host, no trusted certificate."""


class ConnectTimedOut(ConnectionError):
    """No connection came about within its limit."""


class ClosedEarly(ConnectionError):
    """The server closed the connection before the whole head of its reply had come."""


class NoneFree(ConnectionError):
    """All connections that are allowed were in use for as long as anybody could wait."""


class NoHttp(ConnectionError):
    """What came is no HTTP/1.1 reply, or its head has no bounds."""


class ReadTimedOut(TimeoutError):
    """The moment passed until which the next bytes were waited for."""
