"""Ports of the loopback: those that nobody listens on, and whether a server answers on one."""

from __future__ import annotations

import socket
import urllib.error
import urllib.request

ANSWER_SECONDS = 5


def free_port() -> int:
    """Return a port of 127.0.0.1 that was free a moment ago: whoever starts on it may be late."""
    return free_ports(1)[0]


def free_ports(count: int) -> list[int]:
    """Return different free ports of 127.0.0.1."""
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [int(probe.getsockname()[1]) for probe in probes]
    finally:
        for probe in probes:
            probe.close()


def answers(address: str) -> bool:
    """Tell whether a server answers at an address of HTTP."""
    try:
        with urllib.request.urlopen(address, timeout=ANSWER_SECONDS) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False
