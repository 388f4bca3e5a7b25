"""Table formats that tests run on: `params=DEFAULT_FIRST` leaves Delta to `make test-all`."""

import pytest

BOTH = ("iceberg", "delta")
DEFAULT_FIRST = ("iceberg", pytest.param("delta", marks=pytest.mark.full))
