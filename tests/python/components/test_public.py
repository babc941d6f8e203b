"""What a search can be made of is part of the public API."""

from __future__ import annotations

import pytest

import banditplan as bp
from banditplan.components import FAMILIES, components


@pytest.mark.parametrize(("family", "base"), FAMILIES)
def test_every_component_is_public(family: str, base: type) -> None:
    found = components(base)
    assert found, f"there is no {family}"
    for item in found.values():
        assert item.__name__ in bp.__all__
        assert getattr(bp, item.__name__) is item
