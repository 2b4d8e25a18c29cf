"""Passkeys: a name is claimed with one, and somebody signs in with it, without any word to remember."""

from __future__ import annotations

import base64
from typing import Any, NamedTuple

import msgspec
import webauthn
from sqlalchemy import Connection, Row, delete, insert, select, update
from webauthn.helpers import (
    decode_credential_public_key,
    decoded_public_key_to_cryptography,
    options_to_json_dict,
    parse_client_data_json,
)
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from zashiki.server.accounts import Accounts, Identified
from zashiki.server.challenges import LIFE_MS, Challenge, check_challenge, new_challenge
from zashiki.server.claims import claim_name, lock_account
from zashiki.server.errors import Refused
from zashiki.server.names import clean_label, clean_name
from zashiki.server.schema import passkeys
from zashiki.server.sessions import Entered, check_fresh, enter
from zashiki.server.store import now_ms

MOST_PASSKEYS = 20
LONGEST_ID = 1023
SERVICE = "Zashiki"

Credential = dict[str, Any]
"""A browser's answer, as `PublicKeyCredential.toJSON()` writes it."""


class Place(NamedTuple):
    """Where people find this server: the name that passkeys are bound to, and the origins of its pages."""

    host: str
    origins: list[str]


class PasskeyInfo(msgspec.Struct, frozen=True):
    """A passkey in a list."""

    id: str
    label: str
    created_at: int
    seen_at: int | None


class Passkeys:
    """The ceremonies, and the list of somebody's passkeys."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts
        self._secrets = accounts.secrets

    async def registration(self, identified: Identified, name: str | None, place: Place) -> dict[str, Any]:
        """What the browser needs to make a passkey: for a guest, who claims `name` with it, or one more for a person."""
        account = identified.account
        name = _name_for(identified, name)
        options = webauthn.generate_registration_options(
            rp_id=place.host,
            rp_name=SERVICE,
            user_id=self._secrets.sign("passkey of", str(account.id).encode()),
            user_name=name or account.name,
            challenge=new_challenge(self._secrets, "register", account.id, name).content,
            timeout=LIFE_MS,
            exclude_credentials=[PublicKeyCredentialDescriptor(row.id) for row in await self._rows(account.id)],
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.PREFERRED
            ),
        )
        return options_to_json_dict(options)

    async def register(
        self, identified: Identified, credential: Credential, label: str, name: str | None, place: Place, agent: str
    ) -> Entered | None:
        """Keeps a new passkey. A guest becomes a person, in a new session."""
        account = identified.account.id
        name = _name_for(identified, name)
        challenge = check_challenge(self._secrets, _challenge_in(credential), "register", account, name)
        row = _verified_registration(credential, challenge, place) | {
            "account_id": account,
            "label": clean_label(label),
            "created_at": now_ms(),
        }

        def work(connection: Connection) -> tuple[list[int], Entered | None]:
            challenge.use(connection)
            evicted = claim_name(connection, account, name) if name else []
            _add(connection, row)
            return evicted, enter(connection, account, identified, agent, leave=True) if name else None

        evicted, entered = await self._accounts.change(work, account)
        await self._accounts.announce(evicted)
        return entered

    def question(self, asker: Identified | None, place: Place) -> dict[str, Any]:
        """What the browser needs to sign in with a passkey. It names none: nobody learns who has which."""
        challenge = new_challenge(self._secrets, "sign in", asker.account.id if asker else 0)
        options = webauthn.generate_authentication_options(rp_id=place.host, challenge=challenge.content, timeout=LIFE_MS)
        return options_to_json_dict(options)

    async def sign_in(
        self, credential: Credential, asker: Identified | None, place: Place, agent: str, *, leave: bool = False
    ) -> Entered:
        """Signs in with the browser's answer."""
        challenge = check_challenge(self._secrets, _challenge_in(credential), "sign in", asker.account.id if asker else 0)
        query = select(passkeys).where(passkeys.c.id == _decoded(credential.get("id")))
        row = await self._accounts.store.read(lambda connection: connection.execute(query).one_or_none())
        if row is None:
            raise Refused("wrong credentials", "this passkey belongs to nobody here; perhaps it was removed")
        count = _verified_count(credential, challenge, row, place)

        def work(connection: Connection) -> Entered:
            challenge.use(connection)
            _count(connection, row.id, count)
            return enter(connection, row.account_id, asker, agent, leave=leave)

        return await self._accounts.change(work, row.account_id, *([asker.account.id] if asker else []))

    async def listed(self, identified: Identified) -> list[PasskeyInfo]:
        """All passkeys of an account."""
        rows = await self._rows(identified.account.id)
        return [PasskeyInfo(_encoded(row.id), row.label, row.created_at, row.seen_at) for row in rows]

    async def remove(self, identified: Identified, passkey: str) -> None:
        """Removes one, unless it is the only way in."""
        check_fresh(identified)
        account, key = identified.account.id, _decoded(passkey)

        def work(connection: Connection) -> None:
            password = lock_account(connection, account).password
            kept = select(passkeys.c.id).where(passkeys.c.account_id == account, passkeys.c.id != key)
            if password is None and not connection.execute(kept).first():
                raise Refused("last way in", "this is your only way in; set a password or add another passkey first")
            mine = delete(passkeys).where(passkeys.c.account_id == account, passkeys.c.id == key)
            if not connection.execute(mine).rowcount:
                raise Refused("not found", "you have no such passkey")

        await self._accounts.change(work, account)

    async def _rows(self, account: int) -> list[Row[Any]]:
        query = select(passkeys).where(passkeys.c.account_id == account).order_by(passkeys.c.created_at)
        return await self._accounts.store.read(lambda connection: list(connection.execute(query)))


def _name_for(identified: Identified, name: str | None) -> str:
    """The name that a guest claims; nothing for somebody who has one."""
    if identified.account.kind == "guest":
        return clean_name(name or identified.account.name)
    if identified.account.kind == "bot":
        raise Refused("forbidden", "a program signs in with a token")
    check_fresh(identified)
    return ""


def _add(connection: Connection, row: dict[str, Any]) -> None:
    lock_account(connection, row["account_id"])
    mine = select(passkeys.c.id).where(passkeys.c.account_id == row["account_id"])
    if len(connection.execute(mine).all()) >= MOST_PASSKEYS:
        raise Refused("too many", f"an account has at most {MOST_PASSKEYS} passkeys; remove one first")
    if connection.execute(select(passkeys.c.id).where(passkeys.c.id == row["id"])).first():
        raise Refused("forbidden", "this passkey is known already")
    connection.execute(insert(passkeys).values(row))


def _count(connection: Connection, key: bytes, count: int) -> None:
    """Notes the counter of a passkey that counts; it only ever goes up."""
    ahead = passkeys.c.sign_count < count if count else passkeys.c.sign_count == 0
    seen = update(passkeys).where(passkeys.c.id == key, ahead).values(sign_count=count, seen_at=now_ms())
    if not connection.execute(seen).rowcount:
        raise _wrong()


def _challenge_in(credential: Credential) -> bytes:
    try:
        return parse_client_data_json(_decoded(credential["response"]["clientDataJSON"])).challenge
    except Exception:  # a stranger wrote it, and the library raises whatever it stumbles over
        raise Refused("malformed", "`credential` is what the browser's `PublicKeyCredential.toJSON()` gives") from None


def _verified_registration(credential: Credential, challenge: Challenge, place: Place) -> dict[str, Any]:
    try:
        verified = webauthn.verify_registration_response(
            credential=credential,
            expected_challenge=challenge.content,
            expected_rp_id=place.host,
            expected_origin=place.origins,
        )
        # Nothing is signed yet: whether the key is one at all would show only when it is needed.
        decoded_public_key_to_cryptography(decode_credential_public_key(verified.credential_public_key))
    except Exception:
        raise _wrong() from None
    key = verified.credential_id
    if len(key) > LONGEST_ID or key != _decoded(credential["id"]):
        raise _wrong()
    return {"id": key, "public_key": verified.credential_public_key, "sign_count": verified.sign_count}


def _verified_count(credential: Credential, challenge: Challenge, row: Row[Any], place: Place) -> int:
    try:
        return webauthn.verify_authentication_response(
            credential=credential,
            expected_challenge=challenge.content,
            expected_rp_id=place.host,
            expected_origin=place.origins,
            credential_public_key=row.public_key,
            credential_current_sign_count=row.sign_count,
        ).new_sign_count
    except Exception:
        raise _wrong() from None


def _wrong() -> Refused:
    return Refused("wrong credentials", "the passkey's answer is not right for this server; begin again")


def _encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def _decoded(text: Any) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (TypeError, ValueError):
        raise Refused("malformed", "binary values are in base64url") from None
