"""A passkey in software: it makes keys and signs, as a phone or a security key would."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import encode_cbor

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


class Authenticator:
    """One passkey. `counts`: whether it counts its signatures, as keys of one device do and shared ones do not."""

    def __init__(self, origin: str = "http://localhost:8000", *, counts: bool = True) -> None:
        self.origin = origin
        self.counts = counts
        self.uses = 0
        self.id = secrets.token_bytes(32)
        self._key = ec.generate_private_key(ec.SECP256R1())

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        """What `navigator.credentials.create` would give for these options."""
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + self._public_key()
        data = self._data(options["rp"]["id"], PRESENT | VERIFIED | ATTESTED) + attested
        statement = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        return self._credential("webauthn.create", options, {"attestationObject": encoded(statement)})

    def get(self, options: dict[str, Any]) -> dict[str, Any]:
        """What `navigator.credentials.get` would give for these options."""
        self.uses += self.counts
        data = self._data(options["rpId"], PRESENT | VERIFIED)
        client_data = self._client_data("webauthn.get", options)
        signature = self._key.sign(data + hashlib.sha256(client_data).digest(), ec.ECDSA(hashes.SHA256()))
        return self._credential("webauthn.get", options, {"authenticatorData": encoded(data), "signature": encoded(signature)})

    def _data(self, host: str, flags: int) -> bytes:
        return hashlib.sha256(host.encode()).digest() + bytes([flags]) + self.uses.to_bytes(4, "big")

    def _public_key(self) -> bytes:
        numbers = self._key.public_key().public_numbers()
        point = {-2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        return encode_cbor({1: 2, 3: -7, -1: 1, **point})

    def _client_data(self, kind: str, options: dict[str, Any]) -> bytes:
        return json.dumps({"type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": False}).encode()

    def _credential(self, kind: str, options: dict[str, Any], response: dict[str, str]) -> dict[str, Any]:
        response["clientDataJSON"] = encoded(self._client_data(kind, options))
        return {"id": encoded(self.id), "rawId": encoded(self.id), "type": "public-key", "response": response}


def encoded(content: bytes) -> str:
    """Base64url, without padding."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()
