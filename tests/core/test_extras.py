"""What is said where a package is missing that only a part of the program needs."""

from __future__ import annotations

import importlib

import pytest

from zashiki.core.errors import MissingPackages
from zashiki.core.extras import extra


def test_a_missing_package_is_told_with_what_to_install() -> None:
    with pytest.raises(MissingPackages, match=r"this needs no_such_package: pip install 'zashiki\[gym\]'"), extra("gym"):
        importlib.import_module("no_such_package")


def test_a_mistake_of_our_own_stays_what_it_is() -> None:
    with pytest.raises(ModuleNotFoundError) as told, extra("gym"):
        importlib.import_module("zashiki.no_such_module")
    assert not isinstance(told.value, MissingPackages)
