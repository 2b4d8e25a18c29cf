"""What the server must keep to itself: a key for its own signatures, and the key pair for push notifications."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import stat
from pathlib import Path
from secrets import token_bytes, token_hex

import msgspec
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from zashiki.core.errors import ZashikiError

FILE = "secrets.json"


class UnsafeSecrets(ZashikiError):
    """The secrets cannot be used: others may read them, or they are not what we wrote."""


class Secrets(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The secrets of one service; every machine on the same database has the same.

    `vapid_private` is the bare number of a P-256 key and `vapid_public_key` its point, both in base64url.
    """

    hmac_key: bytes
    vapid_private: str
    vapid_public_key: str

    def __repr__(self) -> str:
        return "Secrets(…)"

    @property
    def digest(self) -> str:
        """Tells whether two machines have the same secrets, and nothing about them."""
        return hashlib.sha256(b"zashiki secrets\0" + msgspec.json.encode(self)).hexdigest()

    @property
    def vapid_private_key(self) -> str:
        """The private key for push notifications, as PEM."""
        number = int.from_bytes(base64.urlsafe_b64decode(self.vapid_private + "="), "big")
        key = ec.derive_private_key(number, ec.SECP256R1())
        encoding, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
        return key.private_bytes(encoding, form, serialization.NoEncryption()).decode()

    def sign(self, purpose: str, content: bytes) -> bytes:
        """Our signature; one made for another purpose is another one."""
        return hmac.digest(self.hmac_key, purpose.encode() + b"\0" + content, "sha256")


def load_secrets(folder: Path) -> Secrets:
    """The secrets kept in `folder`, made there at the first start."""
    file = folder / FILE
    try:
        return _read(file)
    except FileNotFoundError:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _keep(file, new_secrets())
        return _read(file)


def new_secrets() -> Secrets:
    """Fresh ones."""
    key = ec.generate_private_key(ec.SECP256R1())
    point = key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    private = key.private_numbers().private_value.to_bytes(32, "big")
    return Secrets(token_bytes(32), _text(private), _text(point))


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def _read(file: Path) -> Secrets:
    with file.open("rb") as opened:
        mode = stat.S_IMODE(os.fstat(opened.fileno()).st_mode)
        if os.name == "posix" and mode & 0o077:
            raise UnsafeSecrets(f"others may read {file} (mode {mode:04o}); if nobody has: chmod 600 {file}")
        try:
            return msgspec.json.decode(opened.read(), type=Secrets)
        except msgspec.MsgspecError as error:
            raise UnsafeSecrets(f"{file} is damaged ({error}); put a copy back") from None


def _keep(file: Path, secrets: Secrets) -> None:
    """Writes the file whole or not at all; of several processes that start at once, one makes it and all use it."""
    unfinished = file.with_name(f".{FILE}.{token_hex(8)}")
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(msgspec.json.encode(secrets) + b"\n")
            opened.flush()
            os.fsync(opened.fileno())
        try:
            os.link(unfinished, file)  # like O_EXCL: it fails where there is one already
        except FileExistsError:
            return
        _sync(file.parent)
    finally:
        unfinished.unlink()


def _sync(folder: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
