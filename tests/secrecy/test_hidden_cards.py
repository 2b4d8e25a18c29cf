"""Nothing hidden reaches anybody: whole matches, everything received by each onlooker, and the same with other hidden cards."""

from __future__ import annotations

import pytest

from tests.secrecy.lockstep import Sitting, compare
from tests.secrecy.sittings import SITTINGS


@pytest.mark.parametrize("sitting", SITTINGS, ids=str)
def test_nobody_receives_a_byte_that_depends_on_hidden_cards_or_choices(sitting: Sitting) -> None:
    assert compare(sitting, 1) > 50
