"""Everything about people over HTTP: the list of controllers, and examples for the OpenAPI document."""

from __future__ import annotations

import msgspec

from zashiki.server.companions import CompanionInfo
from zashiki.server.http.asking import Identity, dependencies
from zashiki.server.http.bots import BotList, BotsController, NewBot, NewTokenLabel
from zashiki.server.http.companions import CompanionList, CompanionsController, NewCompanion
from zashiki.server.http.keys import (
    NewPasskey,
    NewPasskeyFor,
    NewPassword,
    PasskeyList,
    PasskeysController,
    PasswordController,
    RecoveryCodes,
    RecoveryController,
)
from zashiki.server.http.me import (
    MutedList,
    MutesController,
    MyAccount,
    MyAccountController,
    NewName,
    SessionList,
    SessionsController,
)
from zashiki.server.http.sign_in import PasskeyQuestion, SignIn, SignInByCode, SignInByPasskey, SignInController
from zashiki.server.mutes import MutedInfo
from zashiki.server.passkeys import PasskeyInfo
from zashiki.server.personal import PersonalData
from zashiki.server.sessions import SessionInfo
from zashiki.server.tokens import BotInfo, NewToken, TokenInfo

__all__ = ["CONTROLLERS", "EXAMPLES", "Identity", "dependencies"]

CONTROLLERS = (
    MyAccountController,
    SessionsController,
    MutesController,
    SignInController,
    PasswordController,
    PasskeysController,
    RecoveryController,
    BotsController,
    CompanionsController,
)

_NOON = 1_750_000_000_000
_BOT = BotInfo(9, "Aiko's bot", _NOON, [TokenInfo(3, "at home", _NOON, None)])
_MIKA = CompanionInfo(10, "Mika", _NOON)
_ANSWER = {"id": "Xq2pT8…", "rawId": "Xq2pT8…", "type": "public-key", "response": {"clientDataJSON": "eyJ0eXBlIjoi…"}}
_DATA = PersonalData(
    account={"id": 7, "kind": "person", "name": "Aiko", "created_at": _NOON, "seen_at": _NOON},
    sessions=[{"agent": "Firefox on Linux", "created_at": _NOON, "seen_at": _NOON}],
    passkeys=[],
    recovery_codes_left=10,
    bots=[],
    companions=[],
    mutes=[{"id": 12, "name": "Misty Otter 48"}],
    push_subscriptions=[],
    matches=[{"id": "xq2pt8vlr0azkw3e", "game": "hanamikoji", "status": "over", "created_at": _NOON, "seat": 0}],
    results=[{"table_id": "xq2pt8vlr0azkw3e", "ended_at": _NOON, "reason": "charm", "seat": 0, "place": 1, "share": 1.0}],
    ratings=[{"game": "hanamikoji", "rating": 1562.7, "deviation": 184.4, "matches": 5, "updated_at": _NOON}],
    reviews=[{"table_id": "xq2pt8vlr0azkw3e", "at": _NOON, "decisions": 20, "best": 13, "blunders": 1, "risks": 2}],
    leagues=[{"id": "k3v7q2xw5m1zt8pd", "name": "Friday", "game": "hanamikoji", "status": "over", "created_at": _NOON}],
    talk=[{"table_id": "xq2pt8vlr0azkw3e", "at": _NOON, "text": "good luck!"}],
)

EXAMPLES: dict[type[msgspec.Struct], list[msgspec.Struct]] = {
    BotInfo: [_BOT],
    BotList: [BotList(bots=[_BOT])],
    CompanionInfo: [_MIKA],
    CompanionList: [CompanionList(companions=[_MIKA])],
    MutedList: [MutedList(muted=[MutedInfo(12, "Misty Otter 48")])],
    MyAccount: [
        MyAccount(id=7, kind="person", name="Aiko", has_password=True, passkeys=1, recovery_codes=10, can_use_passkeys=True)
    ],
    NewBot: [NewBot(name="Aiko's bot")],
    NewCompanion: [NewCompanion(name="Mika")],
    NewName: [NewName(name="Aiko")],
    NewPasskey: [NewPasskey(credential=_ANSWER, label="phone", name="Aiko")],
    NewPasskeyFor: [NewPasskeyFor(name="Aiko")],
    NewPassword: [
        NewPassword(password="a long sentence", name="Aiko"),
        NewPassword(password="another sentence", current="a long one"),
    ],
    NewToken: [NewToken(3, "zashiki_…")],
    NewTokenLabel: [NewTokenLabel(label="at home")],
    PasskeyList: [PasskeyList(passkeys=[PasskeyInfo("Xq2pT8vLr0aZkW3e", "phone", _NOON, None)])],
    PasskeyQuestion: [PasskeyQuestion(options={"challenge": "AAABl-…", "rpId": "cards.example", "allowCredentials": []})],
    PersonalData: [_DATA],
    RecoveryCodes: [RecoveryCodes(codes=["k7f2-9qxd-m3hp-w4tn"])],
    SessionList: [SessionList(sessions=[SessionInfo(1, "Firefox on Linux", _NOON, _NOON, True)])],
    SignIn: [SignIn(name="Aiko", password="a long sentence")],
    SignInByCode: [SignInByCode(name="Aiko", code="k7f2-9qxd-m3hp-w4tn")],
    SignInByPasskey: [SignInByPasskey(credential=_ANSWER)],
}
