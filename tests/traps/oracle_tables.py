"""The customers of Oracle's stories."""

from __future__ import annotations

from typing import Any

from tests.cases.log import Log
from tests.cases.table import Table
from tests.cases.tables import column

NAMES = [column("FIRST_NAME"), column("LAST_NAME"), column("EMAIL")]
CUSTOMERS = Table(
    "ora",
    "oracle",
    [column("ID", "int32"), *NAMES],
    key=["ID"],
    mark="ID",
    table="DEBEZIUM.CUSTOMERS",
    options={"signal_data_collection": "ORCLPDB1.C##DBZUSER.DEBEZIUM_SIGNAL"},
)


def customer(number: int, email: str, first: str = "Anne", last: str = "Kretchmar") -> Any:
    """Return the row image of a customer."""
    return {"ID": number, "FIRST_NAME": first, "LAST_NAME": last, "EMAIL": email}


class Customers(Log):
    """Customers of whom only the address matters."""

    def say(
        self, op: str, number: int, position: int | None, email: str = "", **more: Any
    ) -> Customers:
        """Add a change of an address, or its end."""
        image = None if op == "d" else customer(number, email)
        before = customer(number, "old") if op in ("u", "d") else None
        source = {"schema": "DEBEZIUM", "table": "CUSTOMERS", "db": "ORCLPDB1"}
        self.add(op, {"ID": number}, position, image, before=before, source=source, **more)
        return self

    def truncate(self, position: int, **more: Any) -> Customers:
        """Add a truncate: it has no key."""
        self.add("t", None, position, None, **more)
        return self


def ora() -> Customers:
    """Begin a log of Oracle."""
    return Customers("oracle")
