"""Backup of a store that is being written to, restore into either database, and export of matches."""

from __future__ import annotations

import asyncio
import gzip
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, func, select, text

from tests.server.databases import opened
from tests.server.rows import NOON, account, committed, event, lay, table
from zashiki import Match
from zashiki.server import schema
from zashiki.server.backup import FORMAT, DamagedBackup, back_up, dated, restore, verify
from zashiki.server.export import Exported, export, moves_of
from zashiki.server.log import Event, Kind
from zashiki.server.migrate import NEWEST, OtherStore, version

TABLES = [table for table in schema.METADATA.sorted_tables if table.name not in ("limits", "processes", "presences")]

LENGTHS = select(func.count()).select_from(schema.events).group_by(schema.events.c.table_id)


def furnish(connection: Connection) -> None:
    """Something in every table, and a program whose owner came after it."""
    aki = account(connection, "Aki", kind="person", name_key="aki", password="$argon2id$")
    robot = account(connection, "Robot", kind="bot")
    botan = account(connection, "牡丹", banned_until=NOON, ban_reason='rude "words"\n')
    connection.execute(schema.accounts.update().where(schema.accounts.c.id == robot).values(owner_id=botan))
    rows: list[tuple[Any, dict[str, Any]]] = [
        (schema.sessions, {"account_id": aki, "hash": bytes(range(32)), "agent": "Firefox", "created_at": 1, "seen_at": 2}),
        (schema.tokens, {"account_id": robot, "hash": b"\xff" * 32, "label": "mine", "created_at": 1}),
        (
            schema.passkeys,
            {"id": b"\0key", "account_id": aki, "public_key": b"", "sign_count": 0, "label": "phone", "created_at": 1},
        ),
        (schema.recovery_codes, {"hash": b"r" * 32, "account_id": aki}),
        (schema.mutes, {"account_id": aki, "muted_id": botan}),
        (
            schema.push_subscriptions,
            {"account_id": aki, "endpoint": "https://push.example/1", "p256dh": "p", "auth": "a", "created_at": 1},
        ),
        (
            schema.ratings,
            {"account_id": aki, "game": "kohoju", "rating": 1512.25, "deviation": 240.5, "matches": 2, "updated_at": 1},
        ),
        (schema.limits, {"key": "talk:1", "period": 1, "count": 1, "ends_at": 1}),
        (schema.processes, {"id": "one", "address": "", "beat": 1}),
        (schema.presences, {"account_id": aki, "process": "one", "at": 1}),
        (schema.service, {"id": 1, "down_ms": 5, "beat": NOON, "secrets": "d" * 64}),
    ]
    for one in ("a", "b"):
        name = table(connection, aki, one, listed=one == "a", settings={"options": {"rounds": 3}, "clock": {"type": "none"}})
        rows.append((schema.players, {"table_id": name, "seat": 0, "account_id": aki}))
        rows.append((schema.events, event(name, 1, Kind.SIT, seat=0, account_id=aki, detail={"name": "Aki"})._asdict()))
        held = {"name": "Friday", "game": "kohoju", "settings": {"seats": 2}, "host_id": aki, "status": "over"}
        rows.append((schema.leagues, {"id": one * 16, "round": 3, "rounds": 3, "created_at": 1, "updated_at": 2, **held}))
        rows.append((schema.league_players, {"league_id": one * 16, "number": 1, "account_id": aki}))
        rows.append((schema.league_tables, {"league_id": one * 16, "round": 1, "board": 1, "table_id": name, "players": [1]}))
        rows.append((schema.hinted, {"table_id": name, "at": 1}))
        ended = {"table_id": name, "game": "kohoju", "began_at": 1, "ended_at": 2, "reason": "end", "moves": 8}
        rows.append((schema.results, {"number": ord(one), **ended}))
        counts = {"stood_in": False, "first": True, "decisions": 4, "thinking_ms": 9_000}
        rows.append((schema.result_seats, {"result": ord(one), "seat": 0, "account_id": aki, "share": 0.5, **counts}))
        rows.append((schema.talk, {"table_id": name, "number": 1, "account_id": aki, "name": "Aki", "at": 1, "text": "今日は"}))
    for target, row in rows:
        connection.execute(target.insert(), row)


def content(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table that is backed up."""
    return {one.name: [tuple(row) for row in connection.execute(select(one).order_by(*one.primary_key))] for one in TABLES}


def test_a_backup_of_either_database_restores_into_either(url: str, empty_url: str, tmp_path: Path) -> None:
    committed(url, furnish)
    file = tmp_path / "backup"
    counts = back_up(url, file)
    assert counts == {one.name: len(rows) for one, rows in zip(TABLES, committed(url, content).values(), strict=True)}
    assert restore(empty_url, file) == counts
    assert committed(empty_url, content) == committed(url, content)
    assert committed(empty_url, version) == NEWEST
    assert committed(empty_url, lambda connection: connection.execute(select(schema.processes)).all()) == []


def test_after_a_restore_numbers_go_on_after_those_taken(url: str, empty_url: str, tmp_path: Path) -> None:
    taken = committed(url, lambda connection: [account(connection) for _ in range(3)])
    back_up(url, tmp_path / "backup")
    restore(empty_url, tmp_path / "backup")
    assert committed(empty_url, account) == max(taken) + 1


def test_a_backup_while_the_server_writes_is_of_one_moment(url: str, tmp_path: Path) -> None:
    first, second = lay(url, "a", "b")

    async def main() -> None:
        async with opened(url) as store:
            stop = asyncio.Event()

            async def play() -> None:
                number = 0
                while not stop.is_set():
                    number += 1

                    def both(connection: Connection, number: int = number) -> None:
                        for name in (first, second):
                            connection.execute(schema.events.insert(), event(name, number)._asdict())

                    await store.write(both)

            playing = asyncio.create_task(play())
            for file in ("one", "two", "three"):
                await asyncio.to_thread(back_up, url, tmp_path / file)
            stop.set()
            await playing

    asyncio.run(main())
    for file in ("one", "two", "three"):
        target = f"sqlite:///{tmp_path}/{file}.db"
        restore(target, tmp_path / file)
        lengths = committed(target, lambda connection: connection.execute(LENGTHS).scalars().all())
        assert len(set(lengths)) <= 1


def test_a_backup_is_for_its_owner_alone_and_overwrites_nothing(sqlite_url: str, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    back_up(sqlite_url, file)
    assert file.stat().st_mode & 0o777 == 0o600
    before = file.read_bytes()
    with pytest.raises(OtherStore, match="exists already"):
        back_up(sqlite_url, file)
    assert file.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} >= {"backup"}
    assert not list(tmp_path.glob(".*"))


def test_a_backup_into_a_folder_is_named_after_the_moment(tmp_path: Path) -> None:
    assert dated(tmp_path).parent == tmp_path
    assert dated(tmp_path).name.startswith("zashiki-20")
    assert dated(tmp_path / "mine") == tmp_path / "mine"


def test_the_secrets_go_with_the_backup(sqlite_url: str, tmp_path: Path) -> None:
    secrets, elsewhere = tmp_path / "secrets.json", tmp_path / "new" / "secrets.json"
    secrets.write_text('{"key": "…"}', "utf-8")
    back_up(sqlite_url, tmp_path / "backup", secrets)
    target = f"sqlite:///{tmp_path}/new/zashiki.db"
    elsewhere.parent.mkdir()
    elsewhere.write_text("other", "utf-8")
    with pytest.raises(OtherStore, match="holds other secrets"):
        restore(target, tmp_path / "backup", elsewhere)
    elsewhere.unlink()
    restore(target, tmp_path / "backup", elsewhere)
    assert elsewhere.read_bytes() == secrets.read_bytes()
    assert elsewhere.stat().st_mode & 0o777 == 0o600


def test_a_store_that_is_not_empty_is_left_alone(url: str, tmp_path: Path) -> None:
    committed(url, furnish)
    before = committed(url, content)
    back_up(url, tmp_path / "backup")
    with pytest.raises(OtherStore, match="this store is not empty"):
        restore(url, tmp_path / "backup")
    assert committed(url, content) == before


def repack(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[bytes], bytes]:
    """Damage to the lines of a backup."""
    return lambda packed: gzip.compress(b"\n".join(change(gzip.decompress(packed).split(b"\n"))))


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "cut short": lambda packed: packed[:-30],
    "cut at a line": repack(lambda lines: [*lines[:-3], b""]),
    "a byte changed": lambda packed: packed[:200] + bytes([packed[200] ^ 1]) + packed[201:],
    "a row changed": repack(lambda lines: [line.replace(b"Firefox", b"Fairfox") for line in lines]),
    "a row less": repack(lambda lines: [line for line in lines if b"Firefox" not in line]),
    "something after it": repack(lambda lines: [*lines, b"{}", b""]),
    "empty": lambda packed: b"",
    "something else": lambda packed: b"PK\3\4 a zip file",
    "something else packed": lambda packed: gzip.compress(b"hello\n"),
    "another format": repack(lambda lines: [lines[0].replace(FORMAT.encode(), b"zashiki backup 9"), *lines[1:]]),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_backup_is_refused_before_anything_is_written(sqlite_url: str, tmp_path: Path, damage: str) -> None:
    committed(sqlite_url, furnish)
    back_up(sqlite_url, tmp_path / "backup")
    bad = tmp_path / "bad"
    bad.write_bytes(DAMAGE[damage]((tmp_path / "backup").read_bytes()))
    with pytest.raises(DamagedBackup):
        restore(f"sqlite:///{tmp_path}/new.db", bad)
    assert not (tmp_path / "new.db").exists()


def test_a_backup_of_a_newer_version_is_refused(sqlite_url: str, tmp_path: Path) -> None:
    back_up(sqlite_url, tmp_path / "backup")
    newer = repack(lambda lines: [lines[0].replace(f'"{NEWEST}"'.encode(), b'"9999"'), *lines[1:]])
    (tmp_path / "backup").write_bytes(newer((tmp_path / "backup").read_bytes()))
    with pytest.raises(OtherStore, match="schema 9999"):
        verify(tmp_path / "backup")


def test_a_store_of_another_version_is_not_backed_up(url: str, tmp_path: Path) -> None:
    committed(url, lambda connection: connection.execute(text("UPDATE alembic_version SET version_num = '9999'")))
    with pytest.raises(OtherStore, match="newer zashiki"):
        back_up(url, tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


def acted(name: str, moves: list[tuple[int, int]], start: int = 1) -> list[Event]:
    return [event(name, start + place, Kind.ACT, seat=seat, action=action) for place, (seat, action) in enumerate(moves)]


def test_moves_taken_back_do_not_count() -> None:
    log = [
        event("t", 1, Kind.SIT, seat=0),
        event("t", 2, Kind.START),
        *acted("t", [(0, 5), (1, 6), (0, 7)], 3),
        event("t", 6, Kind.ASK_BACK, seat=0, action=1),
        event("t", 7, Kind.TAKE_BACK, seat=0, action=1),
        *acted("t", [(0, 8), (1, 9)], 8),
        event("t", 10, Kind.TAKE_BACK, seat=0, action=2),
        event("t", 11, Kind.RESIGN, seat=0),
    ]
    assert moves_of(log) == [(0, 5), (1, 6)]


def test_every_finished_match_is_exported_and_replays(url: str, tmp_path: Path) -> None:
    match = Match("hanamikoji", seed=7)
    dice = random.Random(1)
    while not match.over:
        seat = match.to_act[0]
        match.act(seat, dice.choice(match.legal_actions(seat).numbers))
    version = match.game.version

    def work(connection: Connection) -> None:
        host = account(connection)
        for name, status, rules in (("over", "over", version), ("on", "playing", version), ("old", "over", version + 1)):
            made = table(connection, host, name, status=status, rules=rules, seed=f"{match.seed:032x}")
            log = acted(made, [*match.history[:3], *match.history[2:]])
            log.insert(3, event(made, 99, Kind.TAKE_BACK, action=1))
            rows = [one._replace(number=number)._asdict() for number, one in enumerate(log, 1)]
            connection.execute(schema.events.insert(), rows)

    committed(url, work)
    folder = tmp_path / "matches"
    assert committed(url, lambda connection: export(connection, folder)) == Exported(written=1, kept=0, skipped=1)
    (file,) = folder.iterdir()
    assert file.name == "hanamikoji-2027-01-15-over------------.zashiki.json"
    assert Match.load(file.read_text("utf-8")).history == match.history
    assert committed(url, lambda connection: export(connection, folder)) == Exported(written=0, kept=1, skipped=1)
