"""Real servers of our own for tests and demos: on 127.0.0.1, gone at the end."""


class ServerError(RuntimeError):
    """What is wrong and what to do about it, in one sentence each."""
