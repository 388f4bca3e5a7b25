"""Methods of the adapter with which macros call the decoders."""

from __future__ import annotations

from dbt.adapters.base.meta import AdapterMeta, available

from dbt_debezium_spark import decode
from dbt_debezium_spark.decode.columns import Column, Config, Encoding


class DecodeCalls(metaclass=AdapterMeta):
    """Methods that return SQL and run none, so dbt also calls them while it parses."""

    @available
    def debezium_semantic_types(self) -> dict[str, Encoding]:
        """Return the encodings of semantic types by name: see `decode.semantic_types`."""
        return decode.SEMANTIC_TYPES

    @available
    def debezium_literal_types(self) -> dict[str, Encoding]:
        """Return the encodings of literal types by name: see `decode.semantic_types`."""
        return decode.LITERAL_TYPES

    @available
    def debezium_encoding(self, config: Config, column: Column) -> Encoding:
        """Return the encoding of a column's values: see `decode.encoding_of`."""
        return decode.encoding_of(config, column)

    @available
    def debezium_spark_type(self, config: Config, column: Column) -> str:
        """Return the Spark type of a column's decoded values."""
        return decode.spark_type_of(config, column)

    @available
    def debezium_known_database_type(
        self, config: Config, column: Column, database_type: str | None
    ) -> Column:
        """Return a column with facts from its database type: see `decode.known_database_type`."""
        return decode.known_database_type(config, column, database_type)

    @available
    def debezium_without_known_type(self, column: Column) -> Column:
        """Return a column without facts from its database type."""
        return decode.without_known_type(column)

    @available
    def debezium_unavailable_forms(self, config: Config, column: Column) -> list[str]:
        """Return the texts of the placeholder in a column: see `decode.unavailable_forms`."""
        return decode.unavailable_forms(config, column)

    @available
    def debezium_prepare(
        self, config: Config, column: Column, text: str, record: str | None = None
    ) -> str:
        """Return SQL: the first step of reading a value: see `decode.prepare`."""
        return decode.prepare(config, column, text, record)

    @available
    def debezium_decode(self, config: Config, column: Column, prepared: str) -> str:
        """Return SQL: a value in its Spark type: see `decode.decode`."""
        return decode.decode(config, column, prepared)

    @available
    def debezium_decode_exact_text(self, config: Config, column: Column, prepared: str) -> str:
        """Return SQL: the text of the companion column: see `decode.decode_exact_text`."""
        return decode.decode_exact_text(config, column, prepared)

    @available
    def debezium_decode_recorded(
        self,
        config: Config,
        column: Column,
        text: str,
        prepared: str,
        layout: str = "_layout",
        record: str | None = None,
    ) -> str:
        """Return SQL: a value, by its record's own schema: see `decode.decode_recorded`."""
        return decode.decode_recorded(config, column, text, prepared, layout, record)

    @available
    def debezium_decode_recorded_text(
        self, config: Config, column: Column, text: str, prepared: str, layout: str = "_layout"
    ) -> str:
        """Return SQL: the companion of such a value: see `decode.decode_recorded_text`."""
        return decode.decode_recorded_text(config, column, text, prepared, layout)

    @available
    def debezium_decoded_columns(
        self, config: Config, columns: list[Column]
    ) -> list[decode.DecodedColumn]:
        """Return the columns of models for a table's columns: see `decode.decoded_columns`."""
        return decode.decoded_columns(config, columns)

    @available
    def debezium_exact_text_name(self, name: str) -> str:
        """Return the name of a column's companion."""
        return decode.exact_text_name(name)

    @available
    def debezium_quote_fractions(self, text: str) -> str:
        """Return SQL: a JSON text with its fractions in quotes: see `decode.quote_fractions`."""
        return decode.quote_fractions(text)

    @available
    def debezium_exact_numbers(self, config: Config, text: str) -> str:
        """Return SQL: a record's text that keeps all digits: see `decode.exact_numbers`."""
        return decode.exact_numbers(config, text)

    @available
    def debezium_let(self, name: str, value: str, expression: str) -> str:
        """Return SQL: an expression with a local name: see `decode.let`."""
        return decode.let(name, value, expression)
