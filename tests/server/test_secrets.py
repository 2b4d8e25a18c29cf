from __future__ import annotations

import base64
import importlib
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from zashiki.server.secrets import FILE, UnsafeSecrets, load_secrets, new_secrets


def test_the_first_start_makes_secrets_that_only_the_owner_reads(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    made = load_secrets(folder)
    assert stat.S_IMODE((folder / FILE).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert load_secrets(folder) == made
    assert [file.name for file in folder.iterdir()] == [FILE]


def test_processes_that_start_together_share_one_file(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        made = set(threads.map(lambda _: load_secrets(tmp_path).digest, range(16)))
    assert len(made) == 1


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660])
def test_a_file_that_others_may_read_is_refused_with_the_cure(tmp_path: Path, mode: int) -> None:
    load_secrets(tmp_path)
    (tmp_path / FILE).chmod(mode)
    with pytest.raises(UnsafeSecrets, match="chmod 600"):
        load_secrets(tmp_path)


@pytest.mark.parametrize("content", [b"", b"{", b'{"hmac_key": "AAAA"}', b"[]"])
def test_a_damaged_file_is_refused_and_not_replaced(tmp_path: Path, content: bytes) -> None:
    load_secrets(tmp_path)
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(UnsafeSecrets, match="damaged"):
        load_secrets(tmp_path)
    assert (tmp_path / FILE).read_bytes() == content


def test_the_digest_tells_secrets_apart_and_fits_its_column() -> None:
    one, two = new_secrets(), new_secrets()
    assert one.digest != two.digest
    assert len(one.digest) == 64


def test_secrets_do_not_show_themselves() -> None:
    made = new_secrets()
    assert made.vapid_private not in repr(made)
    assert repr(made.hmac_key) not in f"{made}"


def test_a_signature_is_for_one_purpose() -> None:
    made = new_secrets()
    assert made.sign("one", b"content") != made.sign("two", b"content")
    assert made.sign("one", b"content") == made.sign("one", b"content")


def test_the_keys_for_push_are_a_pair_on_the_right_curve() -> None:
    made, keys = new_secrets(), importlib.import_module("py_vapid").Vapid
    vapid = keys.from_pem(made.vapid_private_key.encode())
    point = base64.urlsafe_b64decode(made.vapid_public_key + "=")
    numbers = vapid.public_key.public_numbers()
    assert point == b"\x04" + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")
    assert keys.from_string(made.vapid_private).public_key.public_numbers() == numbers
