"""Errors of a registry or of one of its schemas."""

from __future__ import annotations

from dbt_debezium_spark.config.errors import InputError


class RegistryError(InputError):
    """The registry does not return a schema that records need, so the run must end."""

    def __init__(self, what: str, remedy: str) -> None:
        """Create a message in the common form.

        Args:
            what: what is wrong, with the registry and the id, without a full stop.
            remedy: what to do, without a full stop.
        """
        super().__init__(f"debezium_spark: {what}. {remedy}.")


class UnknownSchema(RegistryError):
    """The registry has no such schema, so a retry is useless."""

    def __init__(self, name: str, what: str, remedy: str) -> None:
        """Create the error, and keep the name.

        Args:
            name: name in a reference of another schema; empty for the schema of a record.
            what: see `RegistryError`.
            remedy: see `RegistryError`.
        """
        super().__init__(what, remedy)
        self.name = f"`{name}`"


class UnsupportedSchema(ValueError):  # noqa: N818 - it says what the schema is, not what failed
    """A schema without a form in Connect's JSON; its records are rejected, and others land."""
