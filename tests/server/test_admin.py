"""The administrator's commands on both databases, alone and beside a running server."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest
from sqlalchemy import Connection, select
from sqlalchemy.exc import IntegrityError

from tests.server import room
from tests.server.people import world
from tests.server.rows import account, committed, event, table
from zashiki.cli import main
from zashiki.server import admin, schema
from zashiki.server.admin import FOR_EVER, Desk, NotLikeThat, desk
from zashiki.server.errors import Refused
from zashiki.server.log import Kind
from zashiki.server.migrate import OtherStore
from zashiki.server.store import now_ms

T = TypeVar("T")


def at_desk(url: str, work: Callable[[Desk], Awaitable[T]]) -> T:
    """What somebody does at the desk."""

    async def at() -> T:
        async with desk(url) as opened:
            return await work(opened)

    return asyncio.run(at())


def furnish(connection: Connection) -> None:
    """Aki's table, over, and Botan's, private, where both play hanamikoji and Botan has put a card aside in secret."""
    aki = account(connection, "Aki", kind="person", name_key="aki", seen_at=2)
    botan = account(connection, "Botan [b]", name_key="botan [b]", seen_at=1)
    table(connection, aki, "over", status="over", updated_at=1)
    name = table(connection, botan, "mine", listed=False, updated_at=2)
    seats = enumerate(((aki, "Aki"), (botan, "Botan")))
    log = [event(name, 1 + seat, Kind.SIT, seat=seat, detail={"name": who, "account": number}) for seat, (number, who) in seats]
    log += [event(name, 3, Kind.START), event(name, 4, seat=0, action=0)]
    connection.execute(schema.events.insert(), [each._asdict() for each in log])
    sitting = [{"table_id": name, "seat": seat, "account_id": number} for seat, number in ((0, aki), (1, botan))]
    connection.execute(schema.players.insert(), sitting)


MINE = "mine------------"


def test_tables_are_listed_and_filtered(url: str) -> None:
    committed(url, furnish)
    everything = at_desk(url, lambda desk: desk.tables())
    assert [row.id.rstrip("-") for row in everything] == ["mine", "over"]
    assert everything[0].people == ["Aki", "Botan [b]"]
    assert everything[0].private
    assert [row.status for row in at_desk(url, lambda desk: desk.tables(status="over"))] == ["over"]
    assert at_desk(url, lambda desk: desk.tables(game="kimono")) == []
    assert len(at_desk(url, lambda desk: desk.tables(limit=1))) == 1
    assert len(at_desk(url, lambda desk: desk.tables(account=everything[0].host))) == 1


def test_a_table_is_shown_without_what_is_hidden_unless_asked(url: str) -> None:
    committed(url, furnish)
    sheet = at_desk(url, lambda desk: desk.table(MINE))
    assert sheet.seed is None
    assert sheet.log[:3] == ["Seat 0 sit: Aki", "Seat 1 sit: Botan", "The table: start"]
    told = at_desk(url, lambda desk: desk.table(MINE, show_secrets=True))
    assert told.seed is not None
    assert len(told.log) == len(sheet.log) == 4
    assert told.log[3] != sheet.log[3]
    assert sheet.log[3].startswith("Seat 0 ")


def test_a_table_is_closed_with_the_next_number_and_a_reason(url: str) -> None:
    committed(url, furnish)
    at_desk(url, lambda desk: desk.close(MINE, "power cut"))
    row = committed(url, lambda connection: connection.execute(select(schema.events).where(schema.events.c.number == 5)).one())
    assert (row.kind, row.seat, row.account_id) == (Kind.CLOSE, None, None)
    assert json.loads(row.detail) == {"reason": "closed by the administrator: power cut"}
    assert at_desk(url, lambda desk: desk.table(MINE)).status == "closed"
    for wrong in (MINE, "over------------"):
        with pytest.raises(NotLikeThat, match="already"):
            at_desk(url, lambda desk, wrong=wrong: desk.close(wrong))  # type: ignore[misc]
    with pytest.raises(NotLikeThat, match="there is no table"):
        at_desk(url, lambda desk: desk.close("nowhere"))
    with pytest.raises(Refused, match="no such table"):
        at_desk(url, lambda desk: desk.table("nowhere"))


def test_a_number_that_the_server_takes_meanwhile_is_no_obstacle(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    committed(url, furnish)
    lost: list[int] = []
    close = admin._close

    def too_late(connection: Connection, table_id: str, reason: str | None) -> None:
        if len(lost) < 3:
            lost.append(1)
            raise IntegrityError("taken", None, Exception())
        close(connection, table_id, reason)

    monkeypatch.setattr(admin, "_close", too_late)
    at_desk(url, lambda desk: desk.close(MINE))
    assert len(lost) == 3
    assert at_desk(url, lambda desk: desk.table(MINE)).status == "closed"


def test_a_running_server_notices_that_a_table_was_closed(url: str) -> None:
    async def story() -> None:
        async with room.opened(url) as here, desk(url) as opened:
            guests = [await here.guest("Aki"), await here.guest("Botan")]
            name = await here.table("hanamikoji", guests)
            await opened.close(name, "late")
            state = await guests[1].state_where(name, lambda message: message["status"] == "closed")
            assert state["events"][-1]["detail"] == {"reason": "closed by the administrator: late"}
            refused = await guests[0].ask(type="resign", table=name)
            assert refused["code"] == "match over"

    room.run(story())


def test_a_running_server_notices_that_somebody_was_banned(url: str) -> None:
    async def story() -> None:
        async with world(url, listens=True) as people, desk(url) as opened:
            somebody, secret = await people.guest("Botan")
            assert await people.account(secret) == somebody.account
            until = await opened.ban(somebody.account.id, days=2, reason="rude")
            assert abs(until - now_ms() - 2 * 86_400_000) < 60_000
            async with asyncio.timeout(20):
                while True:
                    try:
                        await people.account(secret)
                    except Refused as refusal:
                        assert refusal.code == "banned"  # noqa: PT017
                        break
                    await asyncio.sleep(0.02)
            await opened.unban(somebody.account.id)

    asyncio.run(story())


def test_accounts_are_found_by_name_or_number(url: str) -> None:
    committed(url, furnish)
    committed(url, lambda connection: [account(connection, "Chie", name_key="chie") for _ in range(2)])
    assert [row.name for row in at_desk(url, lambda desk: desk.accounts("a"))][:2] != []
    assert [row.name for row in at_desk(url, lambda desk: desk.accounts("AK"))] == ["Aki"]
    assert at_desk(url, lambda desk: desk.accounts("%")) == []
    aki = at_desk(url, lambda desk: desk.find("Aki"))
    assert at_desk(url, lambda desk: desk.find(str(aki.id))) == aki
    with pytest.raises(NotLikeThat, match="2 guests are called 'Chie', name one by number"):
        at_desk(url, lambda desk: desk.find("Chie"))
    with pytest.raises(NotLikeThat, match="nobody is called 'Dai'"):
        at_desk(url, lambda desk: desk.find("Dai"))


def test_a_ban_without_days_is_for_ever_and_listed(url: str) -> None:
    committed(url, furnish)

    async def work(desk: Desk) -> None:
        aki = await desk.find("Aki")
        assert await desk.ban(aki.id, reason="cheats") == FOR_EVER
        (row,) = await desk.accounts(banned=True)
        assert (row.name, row.ban_reason) == ("Aki", "cheats")
        await desk.unban(aki.id)
        assert await desk.accounts(banned=True) == []

    at_desk(url, work)


def test_personal_data_are_exported_and_erased(url: str) -> None:
    committed(url, furnish)

    async def work(desk: Desk) -> None:
        aki = await desk.find("Aki")
        known = await desk.personal_data(aki.id)
        assert known.account["name"] == "Aki"
        assert len(known.matches) == 1
        await desk.erase(aki.id)
        assert (await desk.find(str(aki.id))).name == "erased"
        assert (await desk.table(MINE)).log[0] == "Seat 0 sit: erased"

    at_desk(url, work)


def test_a_store_without_tables_is_refused(empty_url: str) -> None:
    async def nothing(desk: Desk) -> None:
        raise AssertionError

    with pytest.raises(OtherStore, match="start the server once"):
        at_desk(empty_url, nothing)


def command(capsys: pytest.CaptureFixture[str], url: str, *words: str) -> str:
    """What a command prints."""
    main([*words, "--database", url])
    return capsys.readouterr().out


def test_the_commands_print_tables_for_people_and_json_for_programs(sqlite_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    committed(sqlite_url, furnish)
    assert "Botan [b]" in command(capsys, sqlite_url, "admin", "accounts")
    assert "2/2 Aki, Botan [b]" in command(capsys, sqlite_url, "admin", "tables", "--account", "Aki")
    assert json.loads(command(capsys, sqlite_url, "admin", "tables", "--json"))[0]["id"] == MINE
    shown = command(capsys, sqlite_url, "admin", "table", MINE)
    assert "seat 0: Aki (account 1)" in shown
    assert "1. Seat 0 sit: Aki" in shown
    assert json.loads(command(capsys, sqlite_url, "admin", "table", MINE, "--secrets", "--json"))["seed"]
    assert "closed" in command(capsys, sqlite_url, "admin", "close", MINE, "--reason", "late")
    assert "kept out: for ever" in command(capsys, sqlite_url, "admin", "ban", "Aki")
    assert "banned until for ever" in command(capsys, sqlite_url, "admin", "accounts", "--banned")
    assert "may come in again" in command(capsys, sqlite_url, "admin", "unban", "Aki")
    assert json.loads(command(capsys, sqlite_url, "admin", "export-account", "Aki"))["account"]["name"] == "Aki"
    with pytest.raises(SystemExit, match="nothing was erased"):
        command(capsys, sqlite_url, "admin", "erase", "Aki")
    assert "are erased" in command(capsys, sqlite_url, "admin", "erase", "Aki", "--yes")


def test_backup_restore_export_and_migrate_are_commands(
    sqlite_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    committed(sqlite_url, furnish)
    monkeypatch.setenv("ZASHIKI_DATA", str(tmp_path / "data"))
    file = tmp_path / "backup"
    assert "2 accounts, 2 tables, 4 events" in command(capsys, sqlite_url, "backup", str(file))
    assert gzip.decompress(file.read_bytes()).startswith(b'{"format":"zashiki backup 1"')
    main(["restore", str(file)])
    assert "restored 2 accounts" in capsys.readouterr().out
    assert (tmp_path / "data" / "zashiki.db").exists()
    main(["export", str(tmp_path / "matches")])
    assert "1 matches written" in capsys.readouterr().out
    main(["migrate"])
    assert "schema" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="not empty"):
        main(["restore", str(file)])


@pytest.mark.parametrize("words", [["admin", "tables"], ["backup", "x"], ["migrate"]])
def test_a_store_that_cannot_be_reached_is_an_error_in_one_line(words: list[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="zashiki: ") as ended:
        main([*words, "--database", f"postgresql://nobody@/nothing?host={tmp_path}"])
    assert "\n\n" not in str(ended.value)
    assert "Traceback" not in str(ended.value)
