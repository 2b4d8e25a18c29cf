"""How often somebody may do something: one list of rules, counted over all processes.

Time is cut into stretches as long as the rule says; each counts from nothing. What is rare and costly is counted in the store
before it is done, exactly. What is frequent is counted in memory, and the processes compare about once a second: somebody who
uses several of them at once may exceed the rule by what each lets through in that second, and by a twentieth for each.
"""

from __future__ import annotations

import asyncio
import ipaddress
from contextlib import suppress
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from sqlalchemy import Connection, delete, select, text

from zashiki.server.errors import Refused
from zashiki.server.schema import limits
from zashiki.server.store import Store, now_ms

MINUTE, HOUR = 60, 3600
SYNC_S = 1.0
SWEEP_S = 60.0
SHARE = 20
"""A process keeps less than this part of a rule to itself, so that people who do little cost the store nothing."""
MOST_COUNTED = 100_000
"""Whom a process remembers at once, for each rule."""

RuleName = Literal[
    "guests",
    "sign-ins",
    "sign-ins to a name",
    "claims",
    "renames",
    "bots",
    "exports",
    "tables",
    "tables of an address",
    "talk",
    "messages",
    "requests",
    "connections",
    "replays",
    "hints",
    "reviews",
    "subscriptions",
]


class Rule(NamedTuple):
    """`many` times in so many `seconds` for each address, account or name; `what` stands in the refusal."""

    name: RuleName
    many: int
    seconds: int
    per: Literal["address", "account", "name"]
    what: str


RULES = (
    # counted in the store, with `spend`
    Rule("guests", 60, HOUR, "address", "new guests"),
    Rule("sign-ins", 30, 15 * MINUTE, "address", "attempts to sign in"),
    Rule("sign-ins to a name", 10, 15 * MINUTE, "name", "attempts to sign in"),
    Rule("claims", 30, HOUR, "address", "attempts to claim a name or to change a key"),
    Rule("renames", 10, HOUR, "account", "changes of name"),
    Rule("bots", 30, HOUR, "account", "new bots and tokens"),
    Rule("exports", 10, HOUR, "account", "copies of the data"),
    Rule("tables", 30, 10 * MINUTE, "account", "new tables"),
    Rule("tables of an address", 120, 10 * MINUTE, "address", "new tables"),
    Rule("subscriptions", 20, HOUR, "account", "push subscriptions"),
    # counted in memory, with `spend_now`
    Rule("talk", 20, 30, "account", "lines of talk"),
    Rule("messages", 400, 10, "account", "messages on the socket"),
    Rule("replays", 30, MINUTE, "account", "replays"),
    Rule("hints", 60, MINUTE, "account", "hints"),
    Rule("reviews", 20, 10 * MINUTE, "account", "reviews"),
    Rule("requests", 600, MINUTE, "address", "requests"),
    Rule("connections", 120, MINUTE, "address", "new connections"),
)
assert {rule.name for rule in RULES} == set(get_args(RuleName))

_SPEND = text(
    "INSERT INTO limits (key, period, count, ends_at) VALUES (:key, :period, 1, :ends_at) ON CONFLICT (key, period) "
    "DO UPDATE SET count = limits.count + 1 WHERE limits.count < :many RETURNING count"
)
_ADD = text(
    "INSERT INTO limits (key, period, count, ends_at) VALUES (:key, :period, :count, :ends_at) ON CONFLICT (key, period) "
    "DO UPDATE SET count = limits.count + excluded.count"
)
_ONCE = text(
    "INSERT INTO limits (key, period, count, ends_at) VALUES (:key, 0, 1, :ends_at) "
    "ON CONFLICT (key, period) DO NOTHING RETURNING count"
)


class _Count:
    """What somebody spent: elsewhere and here as the store knew it, on its way there, and here since."""

    __slots__ = ("flying", "known", "mine")

    def __init__(self) -> None:
        self.known = self.flying = self.mine = 0


class _Window:
    """One stretch of time of a rule."""

    __slots__ = ("counts", "ends_at", "period")

    def __init__(self, rule: Rule, now: int) -> None:
        self.period, self.ends_at = _stretch(rule, now)
        self.counts: dict[str, _Count] = {}


class Limits:
    """Counts. `multiplier` raises all rules, for benches; `alone`: no other process counts, so there is nobody to ask."""

    def __init__(self, store: Store, *, multiplier: float = 1, alone: bool = False) -> None:
        self.multiplier = multiplier
        self._store = store
        self._alone = alone
        self._rules = {rule.name: rule._replace(many=max(1, int(rule.many * multiplier))) for rule in RULES}
        self._windows: dict[RuleName, _Window] = {}
        self._dirty: dict[tuple[str, int], tuple[_Count, int]] = {}
        self._full: dict[str, int] = {}

    async def spend(self, name: RuleName, who: str | int) -> None:
        """Counts in the store, or refuses; exact however many processes there are."""
        rule, now = self._rules[name], now_ms()
        key = _key(rule, who)
        period, ends_at = _stretch(rule, now)
        if self._full.get(key, 0) > now:
            raise _too_many(rule, ends_at, now)
        row = {"key": key, "period": period, "ends_at": ends_at, "many": rule.many}
        if await self._store.write_apart(lambda connection: connection.execute(_SPEND, row).scalar()) is None:
            self._remember_full(key, ends_at)
            raise _too_many(rule, ends_at, now)

    def spend_now(self, name: RuleName, who: str | int) -> None:
        """Counts in memory, or refuses; for what happens all the time."""
        rule, now = self._rules[name], now_ms()
        window = self._windows.get(name)
        if window is None or now >= window.ends_at:
            window = self._windows[name] = _Window(rule, now)
        key = _key(rule, who)
        count = window.counts.get(key) or _start(window.counts, key)
        if count.known + count.flying + count.mine >= rule.many:
            raise _too_many(rule, window.ends_at, now)
        count.mine += 1
        if count.mine * SHARE >= rule.many and not self._alone:
            self._dirty[key, window.period] = (count, window.ends_at)

    async def forgive(self, name: RuleName, who: str | int) -> None:
        """Counts from nothing again."""
        key = _key(self._rules[name], who)
        self._full.pop(key, None)
        await self._store.write_apart(lambda connection: connection.execute(delete(limits).where(limits.c.key == key)).rowcount)

    async def run(self) -> None:
        """Compares with the other processes, and sweeps, until cancelled."""
        rounds = 0
        while True:
            await asyncio.sleep(SYNC_S)
            rounds += 1
            with suppress(Refused):  # the store is away: what was spent is kept for the next time
                await self.sync()
                if rounds * SYNC_S >= SWEEP_S:
                    await self.sweep()
                    rounds = 0

    async def sync(self) -> None:
        """Tells the store what was spent here and learns what was spent everywhere."""
        dirty, self._dirty = self._dirty, {}
        if not dirty:
            return
        for count, _ in dirty.values():
            count.flying, count.mine = count.mine, 0
        # In one order everywhere, so that no two processes wait for each other.
        rows = [
            {"key": key, "period": period, "count": count.flying, "ends_at": ends_at}
            for (key, period), (count, ends_at) in sorted(dirty.items(), key=lambda item: item[0])
        ]
        try:
            totals = await self._store.write_apart(lambda connection: _add(connection, rows))
        except BaseException:
            for key, (count, ends_at) in dirty.items():
                count.mine, count.flying = count.mine + count.flying, 0
                self._dirty[key] = (count, ends_at)
            raise
        for place, (count, _) in dirty.items():
            count.known, count.flying = totals.get(place, 0), 0

    async def sweep(self) -> None:
        """Forgets what is over."""
        now = now_ms()
        self._full = {key: ends_at for key, ends_at in self._full.items() if ends_at > now}
        self._dirty = {key: (count, ends_at) for key, (count, ends_at) in self._dirty.items() if ends_at > now}
        # A minute of patience with clocks that differ a little.
        over = delete(limits).where(limits.c.ends_at < now - 60_000)
        await self._store.write_apart(lambda connection: connection.execute(over).rowcount)

    def _remember_full(self, key: str, ends_at: int) -> None:
        if len(self._full) >= MOST_COUNTED:
            self._full.clear()
        self._full[key] = ends_at


def spend_once(connection: Connection, key: str, ends_at: int) -> bool:
    """Whether this is the first time that `key` is seen; until `ends_at` it is remembered."""
    return connection.execute(_ONCE, {"key": f"once:{key}", "ends_at": ends_at}).scalar() is not None


@lru_cache(10_000)
def address_key(address: str) -> str:
    """The address as it is counted: of IPv6 the network, because everybody has a whole one."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return ascii(address)[:60]
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Network((parsed, 64), strict=False))


def _key(rule: Rule, who: str | int) -> str:
    return f"{rule.name}:{address_key(str(who)) if rule.per == 'address' else who}"


def _stretch(rule: Rule, now: int) -> tuple[int, int]:
    length = rule.seconds * 1000
    period = now // length
    return period, (period + 1) * length


def _start(counts: dict[str, _Count], key: str) -> _Count:
    if len(counts) >= MOST_COUNTED:
        del counts[next(iter(counts))]
    count = counts[key] = _Count()
    return count


def _add(connection: Connection, rows: list[dict[str, object]]) -> dict[tuple[str, int], int]:
    connection.execute(_ADD, rows)
    wanted = [row["key"] for row in rows]
    found: dict[tuple[str, int], int] = {}
    for start in range(0, len(wanted), 500):
        some = select(limits.c.key, limits.c.period, limits.c.count).where(limits.c.key.in_(wanted[start : start + 500]))
        found |= {(row.key, row.period): row[2] for row in connection.execute(some)}
    return found


def _too_many(rule: Rule, ends_at: int, now: int) -> Refused:
    wait = max(1, ends_at - now)
    reason = (
        f"too many {rule.what}: there may be {rule.many} in {_duration(rule.seconds)} for each {rule.per}; "
        f"come again in {_duration(-(-wait // 1000))}"
    )
    return Refused("too many", reason, retry_after_ms=wait)


def _duration(seconds: int) -> str:
    for length, word in ((HOUR, "hour"), (MINUTE, "minute")):
        if seconds >= 2 * length or seconds == length:
            return f"{-(-seconds // length)} {word}{'s' if seconds > length else ''}"
    return f"{seconds} second{'s' if seconds != 1 else ''}"
