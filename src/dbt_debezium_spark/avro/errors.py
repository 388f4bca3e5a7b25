"""What can be wrong with a registry or with one of its schemas."""

from __future__ import annotations


class RegistryError(RuntimeError):
    """The registry did not give a schema that records need: the run must end."""

    def __init__(self, what: str, remedy: str) -> None:
        """Keep to the form of all messages.

        Args:
            what: what is wrong, with the registry and the id; no full stop.
            remedy: what to do; no full stop.
        """
        super().__init__(f"debezium_spark: {what}. {remedy}.")


class UnknownSchema(RegistryError):
    """The registry answered that it has no such schema: asking again gives the same answer."""

    def __init__(self, name: str, what: str, remedy: str) -> None:
        """Keep the name beside the message.

        Args:
            name: by which another schema refers to it; empty for one that a record names.
            what: as of all registry errors.
            remedy: likewise.
        """
        super().__init__(what, remedy)
        self.name = f"`{name}`"


class UnsupportedSchema(ValueError):  # noqa: N818 - it says what the schema is, not what failed
    """A schema for which Connect's JSON has no form; its records are rejected, the rest lands."""
