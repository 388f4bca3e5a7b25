"""The database that is recorded: one table for every shape a consumer has to survive."""

from __future__ import annotations

from typing import Any

SCHEMA_SQL = """
create schema archive;

create type public.order_status as enum ('new', 'paid', 'on hold', 'shipped');

-- Default replica identity with values that are stored out of line (TOAST): text, jsonb, arrays.
create table public.customers (
    id serial primary key,
    email text not null unique,
    name varchar(60) not null,
    balance numeric(12, 2) not null default 0,
    note text,
    tags text[],
    prefs jsonb,
    scores integer[],
    active boolean not null default true,
    created_at timestamptz not null,
    updated_at timestamp,
    birthday date,
    legacy_code text
);
-- A row above 2 kB is toasted until it fits the target: a small target moves small values out too.
alter table public.customers set (toast_tuple_target = 128);
alter table public.customers alter column note set storage external;

create table public.orders (
    id bigint primary key,
    customer_id integer not null,
    status public.order_status not null default 'new',
    total numeric(20, 4) not null,
    ledger numeric(38, 10),
    placed_at timestamp(3) not null,
    payload bytea,
    uid uuid not null
);
alter table public.orders alter column payload set storage external;

-- Key of two columns. Changes and deletes of an order cascade to it.
create table public.order_lines (
    order_id bigint not null references public.orders (id) on update cascade on delete cascade,
    line_no integer not null,
    price numeric(10, 2) not null,
    qty smallint not null,
    ratio real,
    weight double precision,
    t time(3),
    tz timetz,
    iv interval,
    bits bit(12),
    primary key (order_id, line_no)
);

-- Full replica identity together with TOAST.
create table public.documents (
    id uuid primary key,
    title text not null,
    body text,
    meta jsonb,
    labels text[],
    score numeric,
    data bytea,
    refs uuid[],
    counts bigint[]
);
alter table public.documents replica identity full;
alter table public.documents set (toast_tuple_target = 128);
alter table public.documents alter column body set storage external;

-- No primary key: a multiset, equal rows included.
create table public.readings (
    sensor text not null,
    value numeric(8, 3),
    at timestamptz not null,
    raw jsonb
);
alter table public.readings replica identity full;

-- Names that need quotes.
create table public."Order" (
    "select" integer primary key,
    "Mixed Case" text,
    "from" timestamptz
);

-- The same table name in another schema.
create table archive.orders (
    id bigint primary key,
    reason text not null,
    archived_at timestamptz
);

create table public.debezium_signal (
    id varchar(42) primary key,
    type varchar(32) not null,
    data varchar(2048)
);

-- A row here, once delivered, says that everything committed before it was delivered.
create table public.recorder_marker (
    id integer primary key,
    note text not null
);
"""

ADD_COLUMNS_SQL = """
alter table public.customers add column nickname text;
alter table public.customers add column loyalty integer not null default 7
"""

DROP_AND_WIDEN_SQL = """
alter table public.customers drop column legacy_code;
alter table public.customers alter column balance type numeric(14, 2);
alter table public.order_lines alter column qty type integer
"""

RENAME_AND_FILL_SQL = """
alter table public."Order" rename column "Mixed Case" to "Renamed Case";
alter table public."Order" add column grade smallint not null default 3
"""

RENAMES = {"public.Order": {"Renamed Case": "Mixed Case"}}
"""What an operator knows of `RENAME_AND_FILL_SQL` and the records do not tell: former names."""

ADDED_DEFAULTS = {"public.Order": {"grade": 3}}
"""The same: what rows got that existed when the column was added."""

SOURCE_OPTIONS: dict[str, Any] = {
    "signal_data_collection": "public.debezium_signal",
    "tables": {
        "public.documents": {"replica_identity": "full"},
        "public.readings": {"replica_identity": "full"},
        "public.Order": {
            "renames": RENAMES["public.Order"],
            "added_defaults": ADDED_DEFAULTS["public.Order"],
        },
    },
}
"""What the records of a recording cannot tell, as options of a source (docs/recording.md)."""

TRUTH_TABLES = (
    "public.customers",
    "public.orders",
    "public.order_lines",
    "public.documents",
    "public.readings",
    "public.Order",
    "archive.orders",
    "public.recorder_marker",
)
"""`<schema>.<table>` of the tables whose final rows are saved: all but the signal table."""
