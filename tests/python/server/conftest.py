"""One server for the tests that do not need one of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from serving import Serving


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    pytest.importorskip("fastapi", reason="needs the extra banditplan[serve]")
    with Serving("--jobs", "2", "--request-limit", "1M", folder=tmp_path_factory.mktemp("server")) as serving:
        yield serving
