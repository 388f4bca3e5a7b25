"""One writing run at a time: when a command takes and releases the run lock."""

from __future__ import annotations

from typing import Any

from dbt.adapters.base.meta import available
from dbt.adapters.events.logging import AdapterLogger
from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark import run_lock
from dbt_debezium_spark.adapter_parts.part import AdapterPart
from dbt_debezium_spark.adapter_parts.project_vars import project_var
from dbt_debezium_spark.settings import resolve_settings

logger = AdapterLogger("debezium_spark")


class Locking(AdapterPart):
    """An adapter that holds the run lock while a command writes: see `run_lock`."""

    def __init__(self, config: Any, mp_context: Any) -> None:
        """Connect as the extended adapter does; the lock is not taken yet."""
        super().__init__(config, mp_context)
        self.__run_lock: run_lock.RunLock | None = None
        self.__is_lock_settled = False

    def acquire_connection(self, *args: Any, **kwargs: Any) -> Any:
        """Take the lock before the first connection of a command that needs it.

        The first caller is dbt's main thread, before it looks at any table, so Ctrl-C ends a wait.
        """
        if not self.__is_lock_settled:
            from dbt.flags import get_flags

            which = str(getattr(get_flags(), "WHICH", None) or "")
            place = self.__lock_place()
            if which in run_lock.WRITING_COMMANDS or place.guards_reading:
                self.__take_lock(place, which)
            self.__is_lock_settled = True
        return super().acquire_connection(*args, **kwargs)

    def cleanup_connections(self) -> None:
        """Release the lock; dbt calls this at the end of every command."""
        super().cleanup_connections()
        lock, self.__run_lock, self.__is_lock_settled = self.__run_lock, None, False
        if lock is not None and not lock.place.until_exit:
            lock.release()

    @available.parse(lambda: None)
    def debezium_hold_run_lock(self) -> None:
        """Take the lock for a macro that writes in `dbt run-operation`."""
        if self.__run_lock is None:
            self.__take_lock(self.__lock_place(), "run-operation")

    def __take_lock(self, place: run_lock.Place, which: str) -> None:
        lock = run_lock.lock_of(place)
        try:
            timeout = run_lock.timeout_seconds(project_var(self.config, run_lock.TIMEOUT_VAR))
            lock.take(run_lock.command_line(f"dbt {which}"), timeout, self.__log_wait)
        except run_lock.LockError as error:
            raise DbtRuntimeError(str(error)) from error
        self.__run_lock = lock

    def __lock_place(self) -> run_lock.Place:
        credentials = self.config.credentials
        host = None
        if not self._debezium_in_own_session:
            host = str(getattr(credentials, "host", None) or "")
        settings = resolve_settings(self._debezium_settings, self.config.project_root)
        return run_lock.place_of(settings, credentials.schema, host)

    @staticmethod
    def __log_wait(text: str) -> None:
        logger.info(f"debezium_spark: {text}")
