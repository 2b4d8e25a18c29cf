"""`zashiki serve` with real processes and a very small application."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from zashiki.cli import main
from zashiki.server import serve as serving
from zashiki.server.serve import NeedsPostgres, WrongAddress, announce, bound, check, lan_address, sole_server
from zashiki.server.settings import Settings
from zashiki.server.worker import Job, Plan, _decoded, encoded

PATIENCE_S = 60
ROOT = Path(__file__).parents[2]
PROGRAM = (
    "import sys, pathlib; from zashiki.server.serve import serve; from zashiki.server.settings import Settings;"
    " data, database, workers, more = sys.argv[1:];"
    " settings = Settings(data=pathlib.Path(data), database=database or None, port=0, workers=int(workers),"
    " behind_proxy='proxy' in more);"
    " sys.exit(serve(settings, application='tests.server.tiny:create'))"
)


class Served:
    """A running server."""

    def __init__(self, process: subprocess.Popen[str], page: str, data: Path) -> None:
        self.process = process
        self.page = page
        self.data = data

    def ask(self, page: str = "", **headers: str) -> list[str]:
        """Which process answers, its own address, and who it thinks is asking."""
        patience = time.monotonic() + PATIENCE_S
        while True:
            try:
                request = urllib.request.Request(page or self.page, headers=headers)
                with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                    return str(answer.read().decode()).split()
            except OSError:  # it has closed just when we came
                assert time.monotonic() < patience

    def meet(self, count: int) -> dict[str, str]:
        """The processes at their own addresses, once all of them have answered at the common one."""
        found: dict[str, str] = {}

        def all_met() -> bool:
            pid, address, _ = self.ask()
            found[address] = pid
            return len(found) == count

        until(all_met)
        return found

    def workers(self, addresses: Iterable[str]) -> dict[str, str]:
        """Which processes are at these addresses."""
        return {address: self.ask(address)[0] for address in addresses}

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Says stop; the exit status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_S)


@contextmanager
def served(data: Path, database: str = "", workers: int = 1, more: str = "") -> Iterator[Served]:
    """A very small server for the length of a block."""
    with running([sys.executable, "-c", PROGRAM, str(data), database, str(workers), more], data) as server:
        yield server


@contextmanager
def running(command: list[str], data: Path) -> Iterator[Served]:
    """A server for the length of a block."""
    environment = os.environ | {"PYTHONPATH": f"{ROOT}/src:{ROOT}", "ZASHIKI_GEAR": "python"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env=environment)
    try:
        assert process.stdout is not None
        said = ""
        while "Ctrl-C" not in said:
            line = process.stdout.readline()
            assert line, "the server has ended before it served"
            said += line
        found = re.search(r"Zashiki is at (http://127.0.0.1:\d+)\n", said)
        assert found
        yield Served(process, found[1], data)
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def until(condition: Callable[[], bool]) -> None:
    """Waits for something that happens by itself."""
    patience = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < patience
        time.sleep(0.05)


def lives(pid: str) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def test_one_process_serves_and_ends_cleanly(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        pid, address, _ = server.ask()
        assert pid == str(server.process.pid)
        assert address == server.page
        with connect(server.page.replace("http", "ws") + "/socket") as socket:
            socket.send("hello")
            assert socket.recv() == "hello"
            assert server.stop() == 0
            with pytest.raises(ConnectionClosed) as closed:
                socket.recv()
            assert closed.value.rcvd
            assert closed.value.rcvd.code == 1012
        assert (tmp_path / f"ended-{pid}").exists()
        assert (tmp_path / "zashiki.db").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_ctrl_c_and_a_terminal_that_closes_end_it_cleanly_too(tmp_path: Path, number: int) -> None:
    with served(tmp_path) as server:
        pid = server.ask()[0]
        assert server.stop(number) == 0
        assert (tmp_path / f"ended-{pid}").exists()


def test_only_a_proxy_is_believed_who_is_asking(tmp_path: Path) -> None:
    forwarded = {"x-forwarded-for": "203.0.113.9"}
    with served(tmp_path) as server:
        assert server.ask(**forwarded)[2] == "127.0.0.1"
    with served(tmp_path, more="proxy") as server:
        assert server.ask(**forwarded)[2] == "203.0.113.9"


def test_a_frame_that_is_too_large_ends_its_connection_and_no_other(tmp_path: Path) -> None:
    with served(tmp_path) as server, connect(server.page.replace("http", "ws")) as other:
        with connect(server.page.replace("http", "ws")) as socket:
            socket.send("x" * 70_000)
            with pytest.raises(ConnectionClosed) as closed:
                socket.recv()
        assert closed.value.rcvd
        assert closed.value.rcvd.code == 1009
        other.send("hello")
        assert other.recv() == "hello"


def test_a_worker_that_dies_is_replaced_and_all_stop_together(tmp_path: Path, postgres_url: str) -> None:
    with served(tmp_path, postgres_url, workers=2) as server:
        before = server.meet(2)
        assert server.workers(before) == before  # each answers alone at its own address
        victim, other = sorted(before)
        os.kill(int(before[victim]), signal.SIGKILL)
        until(lambda: server.ask(victim)[0] != before[victim])
        assert server.ask(other)[0] == before[other]
        pids = server.workers(before).values()
        assert server.stop() == 0
        assert not any(lives(pid) for pid in pids)
        assert all((tmp_path / f"ended-{pid}").exists() for pid in pids)


def test_a_hangup_replaces_the_workers_one_after_the_other(tmp_path: Path, postgres_url: str) -> None:
    with served(tmp_path, postgres_url, workers=2) as server:
        before = server.meet(2)
        server.process.send_signal(signal.SIGHUP)
        until(lambda: bool(server.ask()) and all((tmp_path / f"ended-{pid}").exists() for pid in before.values()))
        after = server.workers(before)
        assert not set(after.values()) & set(before.values())


def test_new_workers_that_do_not_start_leave_the_old_ones_in_place(tmp_path: Path, postgres_url: str) -> None:
    with served(tmp_path, postgres_url, workers=2) as server:
        before = server.meet(2)
        (tmp_path / "broken").touch()
        server.process.send_signal(signal.SIGHUP)
        until(lambda: (tmp_path / "broken").read_text() != "")
        assert server.workers(before) == before


def test_workers_go_when_whoever_started_them_is_gone(tmp_path: Path, postgres_url: str) -> None:
    with served(tmp_path, postgres_url, workers=2) as server:
        pids = server.meet(2).values()
        server.process.kill()
        until(lambda: not any(lives(pid) for pid in pids))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_server_that_cannot_start_says_so_with_its_status(tmp_path: Path, postgres_url: str, workers: int) -> None:
    (tmp_path / "broken").touch()
    command = [sys.executable, "-c", PROGRAM, str(tmp_path), postgres_url, str(workers), ""]
    environment = os.environ | {"PYTHONPATH": f"{ROOT}/src:{ROOT}"}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert ended.returncode != 0
    assert "Zashiki is at" not in ended.stdout


def real(data: Path, *more: str) -> list[str]:
    """The real server, as people start it."""
    return [sys.executable, "-m", "zashiki.cli", "serve", "--data", str(data), "--port", "0", "--no-browser", *more]


def read(server: Served, path: str) -> Any:
    """What the server says to a guest."""
    return msgspec.json.decode(" ".join(server.ask(server.page + path)))


def test_the_real_server_is_backed_up_while_it_runs_and_goes_on_from_the_backup(tmp_path: Path) -> None:
    old, new, file = tmp_path / "old", tmp_path / "new", tmp_path / "backup"
    with running(real(old), old) as server:
        assert read(server, "/readyz")["ready"]
        guest = read(server, "/api/me")
        main(["backup", str(file), "--data", str(old)])
        assert server.stop() == 0
    main(["restore", str(file), "--data", str(new)])
    with running(real(new), new) as server:
        assert read(server, "/readyz")["ready"]
        assert read(server, "/api/me")["id"] == guest["id"] + 1
        assert server.stop() == 0
    assert (old / "secrets.json").read_bytes() == (new / "secrets.json").read_bytes()


def test_several_real_workers_share_a_postgresql(tmp_path: Path, postgres_url: str) -> None:
    with running(real(tmp_path, "--workers", "2", "--database", postgres_url), tmp_path) as server:
        assert read(server, "/readyz")["ready"]
        first, second = read(server, "/api/me")["id"], read(server, "/api/me")["id"]
        assert second == first + 1
        assert server.stop() == 0


def test_a_file_has_one_server_at_a_time(tmp_path: Path, postgres_url: str) -> None:
    url = f"sqlite:///{tmp_path}/zashiki.db"
    with sole_server(url):
        with pytest.raises(NeedsPostgres, match="another server uses"), sole_server(url):
            raise AssertionError
        with sole_server(postgres_url), sole_server(postgres_url):
            pass
    with sole_server(url):
        pass


def test_several_workers_need_postgresql(tmp_path: Path) -> None:
    with pytest.raises(NeedsPostgres, match="--database postgresql://"):
        check(Settings(data=tmp_path, workers=2))


@pytest.mark.parametrize(
    "wrong",
    [
        {"workers": 0},
        {"port": -1},
        {"port": 65_535},
        {"public_url": "cards.example.org"},
        {"public_url": "https://cards.example.org/table"},
        {"public_url": "ftp://cards.example.org"},
    ],
)
def test_settings_that_cannot_work_are_refused(tmp_path: Path, wrong: dict[str, object]) -> None:
    with pytest.raises(WrongAddress):
        check(msgspec.structs.replace(Settings(data=tmp_path), **wrong))


def test_a_port_that_is_taken_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(WrongAddress, match=f"port {port} is taken"):
            bound("127.0.0.1", port)
    with pytest.raises(WrongAddress, match="cannot listen at"):
        bound("192.0.2.7", 0)


def test_in_the_house_the_address_is_told_with_a_code_for_phones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "lan_address", lambda: "192.168.1.5")
    settings = Settings(data=tmp_path, host="0.0.0.0", port=8123)
    announce(settings, "http://127.0.0.1:8123", lan=True)
    told = capsys.readouterr().out
    assert "In this network: http://192.168.1.5:8123" in told
    assert "▄" in told
    monkeypatch.setattr(serving, "lan_address", lambda: None)
    announce(settings, "http://127.0.0.1:8123", lan=True)
    assert "phones cannot reach it" in capsys.readouterr().out


def test_an_address_in_the_network_is_no_loopback() -> None:
    assert not (lan_address() or "").startswith("127.")


def test_a_job_arrives_as_it_was_sent(tmp_path: Path) -> None:
    job = Job(Plan(Settings(data=tmp_path, push_hosts=frozenset({"x"})), "http://127.0.0.1:1"), [3, 4], 5)
    assert _decoded(encoded(job)) == job


@pytest.mark.parametrize("command", [["serve"], ["backup", "x"], ["admin", "tables"]])
def test_missing_packages_are_named_in_one_line(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("zashiki.server")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sqlalchemy.exc", None)
    with pytest.raises(SystemExit, match=r"zashiki: the server needs sqlalchemy.* pip install 'zashiki\[server\]'"):
        main(command)


def test_the_house_and_one_address_exclude_each_other() -> None:
    with pytest.raises(SystemExit, match="choose one of them"):
        main(["serve", "--lan", "--host", "127.0.0.1"])


@pytest.mark.parametrize("command", [["backup", "copy"], ["export", "folder"], ["admin", "tables"]])
def test_a_command_says_where_it_looked_for_a_store(command: list[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=f"there is no store at {re.escape(str(tmp_path))}.*--data"):
        main([*command, "--data", str(tmp_path)])
    assert list(tmp_path.iterdir()) == []
