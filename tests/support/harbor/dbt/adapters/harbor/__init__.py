"""The plugin: dbt loads it by the type of a profile, and dbt-spark's because of `dependencies`."""

from dbt.adapters.base import AdapterPlugin
from dbt.adapters.harbor.impl import HarborAdapter, HarborCredentials
from dbt.include import harbor

Plugin = AdapterPlugin(
    adapter=HarborAdapter,  # type: ignore[arg-type]
    credentials=HarborCredentials,
    include_path=harbor.PACKAGE_PATH,
    dependencies=["spark"],
)
