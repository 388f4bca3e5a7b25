"""Ports of the loopback that nobody listens on."""

from __future__ import annotations

import socket


def free_port() -> int:
    """Return a port of 127.0.0.1 that was free a moment ago: whoever starts on it may be late."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


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
