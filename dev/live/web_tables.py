"""The MariaDB database of the live run: the types and shapes that PostgreSQL does not have."""

from __future__ import annotations

from typing import Any

SCHEMA = (
    """
    create table visitors (
        id bigint unsigned primary key,
        name varchar(60) not null,
        balance decimal(12, 2) not null default 0,
        amount decimal(38, 10),
        is_active boolean not null default true,
        flag bit(1),
        flags bit(12),
        kind enum('guest', 'member', 'gone') not null default 'guest',
        interests set('maps', 'music', 'cats'),
        joined_at datetime(6) not null,
        seen_at timestamp(3) null default null,
        birthday date,
        lunch time(3),
        since year,
        tiny tinyint,
        small smallint unsigned,
        medium mediumint,
        plain int unsigned,
        big bigint,
        quota bigint unsigned,
        ratio float,
        score double,
        token varbinary(40),
        photo blob,
        note text default 'none',
        prefs json
    )
    """,
    # Key of two columns, one of them unsigned.
    """
    create table visits (
        visitor_id bigint unsigned not null,
        visit_no int not null,
        page varchar(40) not null,
        at datetime(3) not null,
        primary key (visitor_id, visit_no)
    )
    """,
    # No key: a multiset, equal rows included. The index keeps two sessions apart.
    """
    create table hits (
        page varchar(40) not null,
        n int,
        at datetime not null,
        index (page)
    )
    """,
    "create table carts (id int primary key, content varchar(200) not null, total decimal(10, 2))",
    "create table pages (path varchar(40) primary key, title varchar(80))",
    "create table marker (id int primary key, note varchar(80) not null)",
    """
    create table debezium_signal (
        id varchar(42) primary key,
        type varchar(32) not null,
        data varchar(2048)
    )
    """,
)

ADD_COLUMNS = (
    "alter table visitors add column nickname varchar(40)",
    "alter table pages add column grade smallint not null default 3",
)

DROP_AND_WIDEN = (
    "alter table visitors drop column since",
    "alter table carts modify content varchar(400) not null, modify total decimal(14, 2)",
)

SOURCE_OPTIONS: dict[str, Any] = {
    "signal_data_collection": "web.debezium_signal",
    # rows that existed got the default of the added column without an event
    "tables": {"web.pages": {"added_defaults": {"grade": 3}}},
}
"""What the records cannot tell."""

TRUTH_TABLES = ("visitors", "visits", "hits", "carts", "pages", "marker")
"""All but the signal table."""
