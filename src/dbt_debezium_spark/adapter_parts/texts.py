"""Texts of generated files, and names that cannot become models: see `literals` and `names`."""

from __future__ import annotations

from typing import Any

from dbt.adapters.base.meta import AdapterMeta, available

from dbt_debezium_spark import literals, names


class TextCalls(metaclass=AdapterMeta):
    """Methods that write texts as literals, and check names; none of them runs SQL."""

    @available
    def debezium_jinja_text(self, text: str) -> str:
        """Return a text as a Jinja literal."""
        return literals.jinja_text(text)

    @available
    def debezium_jinja_block(self, value: Any, indent: int) -> str:
        """Return a value as a Jinja literal, on several lines if one would be too long."""
        return literals.jinja_block(value, indent)

    @available
    def debezium_jinja_lines(self, values: list[Any], indent: int) -> str:
        """Return a list as a Jinja literal with one member per line."""
        return literals.jinja_lines(values, indent)

    @available
    def debezium_yaml_name(self, text: str) -> str:
        """Return a name or a type as a YAML scalar, without quotes where that is safe."""
        return literals.yaml_name(text)

    @available
    def debezium_python_text(self, text: str) -> str:
        """Return a text as a Python literal."""
        return literals.python_text(text)

    @available
    def debezium_yaml_argument(self, text: str) -> str:
        """Return a text as a YAML scalar that dbt takes literally: see `yaml_argument`."""
        return literals.yaml_argument(text)

    @available.parse(literals.read_argument)
    def debezium_read_argument(self, text: str) -> str:
        """Return the text that an argument in a generated file stands for."""
        return literals.read_argument(text)

    @available.parse(literals.printable)
    def debezium_printable(self, text: str, keep: str = "") -> str:
        """Return a text that is safe on a terminal and in a log."""
        return literals.printable(text, keep)

    @available.parse(names.collision)
    def debezium_collision(self, columns: list[str]) -> tuple[str, str] | None:
        """Return two column names that are the same name to Spark."""
        return names.collision(columns)

    @available.parse(names.unwritable)
    def debezium_unwritable(self, name: str) -> str | None:
        """Return the part of a name that SQL cannot contain."""
        return names.unwritable(name)
