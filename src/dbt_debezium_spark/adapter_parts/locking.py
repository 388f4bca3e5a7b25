"""One process at a time on a metastore in Derby: when a command takes the lock."""

from __future__ import annotations

from typing import Any

from dbt.adapters.events.logging import AdapterLogger
from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark.adapter_parts.part import AdapterPart
from dbt_debezium_spark.adapter_parts.project_vars import project_var
from dbt_debezium_spark.spark import run_lock
from dbt_debezium_spark.spark.settings import resolve_settings

logger = AdapterLogger("debezium_spark")


class Locking(AdapterPart):
    """An adapter that waits for the metastore: see `run_lock`."""

    def __init__(self, config: Any, mp_context: Any) -> None:
        """Connect as the extended adapter does; the lock is not taken yet."""
        super().__init__(config, mp_context)
        self.__is_lock_settled = False

    def acquire_connection(self, *args: Any, **kwargs: Any) -> Any:
        """Take the lock before the first connection; the process holds it until it ends.

        The first caller is dbt's main thread, before it looks at any table, so Ctrl-C ends a wait.
        """
        if not self.__is_lock_settled:
            self.__take_lock()
            self.__is_lock_settled = True
        return super().acquire_connection(*args, **kwargs)

    def __take_lock(self) -> None:
        from dbt.flags import get_flags

        if not self._debezium_in_own_session:
            return
        place = run_lock.place_of(
            resolve_settings(self._debezium_settings, self.config.project_root)
        )
        if place is None:
            return
        which = str(getattr(get_flags(), "WHICH", None) or "")
        try:
            timeout = run_lock.timeout_seconds(project_var(self.config, run_lock.TIMEOUT_VAR))
            run_lock.lock_of(place).take(
                run_lock.command_line(f"dbt {which}"), timeout, self.__log_wait
            )
        except run_lock.LockError as error:
            raise DbtRuntimeError(str(error)) from error

    @staticmethod
    def __log_wait(text: str) -> None:
        logger.info(f"debezium_spark: {text}")
