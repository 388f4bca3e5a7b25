"""Where things lie in the clone."""

from __future__ import annotations

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PROFILES = REPOSITORY / "profiles"
DEMO = REPOSITORY / "dev" / "demo" / "data"
EXAMPLES = REPOSITORY / "tests" / "fixtures" / "examples"
REAL = REPOSITORY / "tests" / "fixtures" / "real"
GOLDEN = REPOSITORY / "tests" / "golden"
