"""The attackers: a process of their own that does what it is told line by line, and answers with what came of it."""

from __future__ import annotations

import asyncio
import random
import sys
from typing import Any

import msgspec

from tests.abuse.attacks import ATTACKS, Attack, Target
from tests.abuse.decoy import open_decoy
from tests.abuse.http_attacks import HTTP_ATTACKS
from tests.abuse.raw import PING, TEXT, NotTaken, RawSocket, frame
from zashiki.client import Client

GUESTS = 4
VISIT = 200
"""Messages before an attacker that was not thrown out tries something else."""
SOURCE = "127.0.0.2"
"""The attackers' own address: what is counted by address does not hurt the honest."""
PAUSE_S = 0.1
"""Between two connections of an attacker: it is bad messages that are tried here, not who has the larger network."""
HTTP_SHARE = 0.1
PATIENCE_S = 20.0


class Orders(msgspec.Struct):
    """What to do. `tables` are others', of which only those in `watched` may be looked at; `only` names one attack, or `http`."""

    do: str
    count: int = 0
    tables: list[str] = []
    watched: list[str] = []
    rate: float = 1000.0
    only: str = ""


class Results(msgspec.Struct):
    """What came of it."""

    messages: int = 0
    requests: int = 0
    connections: int = 0
    not_taken: dict[str, int] = {}
    statuses: dict[str, int] = {}
    heard: dict[str, int] = {}
    refusals: dict[str, int] = {}
    leaks: list[str] = []
    open: int = 0


class Attackers:
    """A few guests with many connections."""

    def __init__(self, port: int, seed: int) -> None:
        self.port = self._honest_port = port
        self._decoy_port = 0
        self.url = f"http://127.0.0.1:{port}"
        self.rng = random.Random(seed)
        self.orders = Orders("")
        self.results = Results()
        self.cookies: list[str] = []
        self.own = ""
        self.kept: list[RawSocket] = []
        self._untried: dict[int, list[Attack]] = {}

    async def arrive(self) -> None:
        """Become guests, one of them with a table."""
        self._decoy_port = await open_decoy()
        for number in range(GUESTS):
            async with Client(self.url) as client:
                self.cookies.append("; ".join(f"{name}={value}" for name, value in client.cookies.items()))
                if number == 0:
                    self.own = await client.create("hanamikoji")

    async def follow(self, orders: Orders) -> Results:
        """Carries out an order."""
        self.orders, self.results, self.port = orders, Results(), self._honest_port
        if orders.do in ("attack", "attack the decoy"):
            self.port = self._honest_port if orders.do == "attack" else self._decoy_port
            await self.attack()
        elif orders.do == "idle":
            await self.stay(orders.count, reading=True)
        elif orders.do == "silent":
            await self.stay(orders.count, reading=False)
        elif orders.do == "flood":
            await self.flood(orders.count)
        elif orders.do == "leave":
            await self.leave()
        self.results.open = sum(not socket.ended.is_set() for socket in self.kept)
        return self.results

    async def attack(self) -> None:
        """Sends so many bad messages over several connections."""
        only = self.orders.only
        attackers = [] if only == "http" else [self._attack_socket() for _ in range(8)]
        attackers += [] if only not in ("", "http") else [self._attack_http() for _ in range(4)]
        await asyncio.gather(*attackers)

    async def _attack_socket(self) -> None:
        while self.results.messages < self.orders.count:
            encoding = self.rng.choice(["json", "json", "msgpack"])
            target = Target(self.orders.tables, self.own, encoding)
            try:
                socket = await self._open(encoding)
            except NotTaken as error:
                self.results.messages += 1
                _count(self.results.not_taken, str(error))
                await asyncio.sleep(PAUSE_S)
                continue
            messages = self._next_attack()(self.rng, target)
            for _ in range(VISIT):
                self.results.messages += 1
                if not await socket.send(next(messages)):
                    break
                await asyncio.sleep(8 / self.orders.rate)
            await socket.close()
            await asyncio.sleep(PAUSE_S)

    def _next_attack(self) -> Attack:
        """In any order, but none is tried twice before all were tried once, however few connections there are."""
        if self.orders.only:
            return next(attack for attack in ATTACKS if attack.__name__ == self.orders.only)
        untried = self._untried.setdefault(self.port, [])
        if not untried:
            untried += self.rng.sample(ATTACKS, len(ATTACKS))
        return untried.pop()

    async def _open(self, encoding: str, *, reading: bool = True, source: str = SOURCE) -> RawSocket:
        path = f"/socket?client={self.rng.getrandbits(64):016x}&format={encoding}"
        headers = {"Cookie": self.rng.choice(self.cookies)}
        async with asyncio.timeout(PATIENCE_S):
            socket = await RawSocket.open(self.port, path, headers, hear=self._hear, reading=reading, source=source)
        self.results.connections += 1
        return socket

    def _hear(self, data: bytes) -> None:
        for trace in (b"Traceback", b'File "', b"sqlalchemy", b"psycopg"):
            if trace in data:
                self._leaks(trace.decode(), data)
        try:
            message = msgspec.json.decode(data) if data[:1] == b"{" else msgspec.msgpack.decode(data)
        except msgspec.MsgspecError:
            _count(self.results.heard, "not understood")
            return
        _count(self.results.heard, message["type"])
        if message["type"] == "refused":
            _count(self.results.refusals, message["code"])
        if message["type"] == "state":
            self._look(message, data)

    def _look(self, state: dict[str, Any], data: bytes) -> None:
        """Nothing may be seen of others' tables, nor a seat's view of those that may be watched."""
        if state["table"] == self.own:
            return
        if state["table"] not in self.orders.watched:
            self._leaks("a table without spectators", data)
        elif state.get("seat") is not None or state.get("legal"):
            self._leaks("another's seat", data)

    def _leaks(self, what: str, data: bytes) -> None:
        if len(self.results.leaks) < 20:
            self.results.leaks.append(f"{what}: {data[:300].decode(errors='replace')}")

    async def _attack_http(self) -> None:
        target = Target(self.orders.tables, self.own)
        attacks = [attack(self.rng, target) for attack in HTTP_ATTACKS]
        while self.results.messages < self.orders.count:
            if self.orders.only == "http":
                self.results.messages += 1
                await asyncio.sleep(4 / HTTP_SHARE / self.orders.rate)
            elif self.results.requests >= self.results.messages * HTTP_SHARE:
                await asyncio.sleep(0.01)
                continue
            self.results.requests += 1
            try:
                await self._http(next(self.rng.choice(attacks)))
            except OSError as error:
                _count(self.results.statuses, type(error).__name__)

    async def _http(self, data: bytes) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(SOURCE, 0))
        answer = b""
        try:
            writer.write(data)
            async with asyncio.timeout(0.5):
                while chunk := await reader.read(65536):
                    answer += chunk
        except TimeoutError:
            pass  # a request that never ends: others will close it
        finally:
            writer.transport.abort()
            _count(self.results.statuses, answer.split(b"\r\n")[0].decode(errors="replace") or "no answer")
            if b"Traceback" in answer or b'File "' in answer:
                self._leaks("a trace over HTTP", answer)

    async def stay(self, count: int, *, reading: bool) -> None:
        """Opens connections that do nothing; those that do not read have asked for a lot before."""
        for _ in range(count):
            try:
                socket = await self._open("json", reading=reading, source=self._anywhere())
            except (NotTaken, OSError, TimeoutError) as error:
                _count(self.results.not_taken, str(error) or type(error).__name__)
                continue
            if not reading:
                await self._ask_much(socket)
            self.kept.append(socket)

    async def flood(self, megabytes: int) -> None:
        """Sends pings and never reads what comes back."""
        socket = await self._open("json", reading=False, source=self._anywhere())
        pings = frame(PING, b"x" * 125) * 8000
        for _ in range(megabytes):
            try:
                async with asyncio.timeout(2):
                    if not await socket.send(pings):
                        break
            except TimeoutError:
                break  # the server reads no further: that is its right
        self.kept.append(socket)

    def _anywhere(self) -> str:
        """Another address each time: not one attacker, but a crowd."""
        return f"127.{self.rng.randrange(1, 255)}.{self.rng.randrange(255)}.{self.rng.randrange(1, 255)}"

    async def _ask_much(self, socket: RawSocket) -> None:
        tables = [self.own, *self.orders.watched]
        for number in range(300):
            table = tables[number % len(tables)]
            message = {"type": "watch", "request": number, "table": table}
            try:
                async with asyncio.timeout(1):
                    if not await socket.send(frame(TEXT, msgspec.json.encode(message))):
                        return
            except TimeoutError:
                return  # the server reads no further: that is its right
            await asyncio.sleep(0)

    async def leave(self) -> None:
        """Closes what was kept open."""
        for socket in self.kept:
            await socket.close()
        self.kept.clear()


def _count(counts: dict[str, int], what: str) -> None:
    counts[what] = counts.get(what, 0) + 1


async def main() -> None:
    attackers = Attackers(int(sys.argv[1]), int(sys.argv[2]))
    await attackers.arrive()
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        results = await attackers.follow(msgspec.json.decode(line, type=Orders))
        print(msgspec.json.encode(results).decode(), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
