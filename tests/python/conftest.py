"""What tests of several folders share."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from typing import Any

import pytest

# What is not slow of a sweep: beginning with the richest kind of random tasks, every seventh, which is a prime, so that
# all values of all parameters come up.
FIRST, EVERY = 4, 7


@pytest.fixture(scope="session", autouse=True)
def _ctrl_c() -> None:
    """Ctrl-C as in a terminal: a shell that runs tests in the background lets them, and what they start, ignore it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real one: Debian's chromium, driven by Playwright."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        pytest.skip("needs chromium: apt install chromium")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever uses the browser is a test of it; of a sweep, all but a few are slow."""
    sweeps: dict[str, list[pytest.Item]] = {}
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
        if item.get_closest_marker("sweep"):
            sweeps.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for tests in sweeps.values():
        for item in {*tests} - {*(tests[FIRST::EVERY] or tests[-1:])}:
            item.add_marker(pytest.mark.slow)
