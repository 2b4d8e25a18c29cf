"""Everything about people over HTTP: the list of controllers, and examples for the OpenAPI document."""

from __future__ import annotations

import msgspec

from zashiki.server.http.asking import Identity, dependencies
from zashiki.server.http.bots import BotList, BotsController, NewBot, NewTokenLabel
from zashiki.server.http.keys import (
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
from zashiki.server.http.sign_in import SignIn, SignInByCode, SignInController
from zashiki.server.mutes import MutedInfo
from zashiki.server.passkeys import PasskeyInfo
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
)

_NOON = 1_750_000_000_000
_BOT = BotInfo(9, "Aiko's bot", _NOON, [TokenInfo(3, "at home", _NOON, None)])

EXAMPLES: dict[type[msgspec.Struct], list[msgspec.Struct]] = {
    BotInfo: [_BOT],
    BotList: [BotList(bots=[_BOT])],
    MutedList: [MutedList(muted=[MutedInfo(12, "Misty Otter 48")])],
    MyAccount: [
        MyAccount(id=7, kind="person", name="Aiko", has_password=True, passkeys=1, recovery_codes=10, can_use_passkeys=True)
    ],
    NewBot: [NewBot(name="Aiko's bot")],
    NewName: [NewName(name="Aiko")],
    NewPasskeyFor: [NewPasskeyFor(name="Aiko")],
    NewPassword: [
        NewPassword(password="a long sentence", name="Aiko"),
        NewPassword(password="another sentence", current="a long one"),
    ],
    NewToken: [NewToken(3, "zashiki_…")],
    NewTokenLabel: [NewTokenLabel(label="at home")],
    PasskeyList: [PasskeyList(passkeys=[PasskeyInfo("Xq2pT8vLr0aZkW3e", "phone", _NOON, None)])],
    RecoveryCodes: [RecoveryCodes(codes=["k7f2-9qxd-m3hp-w4tn"])],
    SessionList: [SessionList(sessions=[SessionInfo(1, "Firefox on Linux", _NOON, _NOON, True)])],
    SignIn: [SignIn(name="Aiko", password="a long sentence")],
    SignInByCode: [SignInByCode(name="Aiko", code="k7f2-9qxd-m3hp-w4tn")],
}
