"""Text that a database cannot keep, wherever text can be sent: it is taken or refused, and nothing breaks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.built import built
from tests.server.room import Guest, run

STRANGE = ["\0", "a\0b", "\ud800", "a\udfffb", "\ufffe\U0010ffff", "\0" * 16]
"""PostgreSQL keeps no NUL, and nothing encodes half of a pair."""


def requests(text: str, table: str, bot: int) -> list[tuple[str, str, Any]]:
    """Every place of the HTTP API that takes a text."""
    at = f"/api/tables/{table}"
    answer = {"id": text, "rawId": text, "type": text, "response": {"clientDataJSON": text, "attestationObject": text}}
    return [
        ("POST", "/api/tables", {"game": text}),
        ("POST", "/api/tables", {"game": "kimono", "settings": {"options": {text: 1}}}),
        ("POST", "/api/tables", {"game": "kimono", "settings": {"options": {"rounds": text}}}),
        ("POST", "/api/tables", {"game": "kimono", "settings": {"stand_in": text}}),
        ("POST", "/api/tables", {"game": "kimono", "bots": {"1": text}}),
        ("POST", "/api/tables", {"game": "kimono", text: text}),
        ("POST", f"{at}/sit", {"seat": 1, "bot": text}),
        ("POST", f"{at}/act", {"action": {"type": text}}),
        ("POST", f"{at}/act", {"action": {text: [text]}}),
        ("POST", f"{at}/take-back", {"answer": text}),
        ("POST", f"{at}/talk", {"text": text}),
        ("PATCH", "/api/me", {"name": text}),
        ("POST", "/api/me/password", {"password": f"long enough {text}", "current": text}),
        ("POST", "/api/sign-in", {"name": text, "password": text}),
        ("POST", "/api/sign-in/recovery", {"name": text, "code": text}),
        ("POST", "/api/sign-in/passkey", {"credential": answer}),
        ("POST", "/api/sign-in/passkey", {"credential": {text: text}}),
        ("POST", "/api/me/passkeys/options", {"name": text}),
        ("POST", "/api/me/passkeys", {"credential": answer, "label": text}),
        ("POST", "/api/me/bots", {"name": text}),
        ("POST", f"/api/me/bots/{bot}/tokens", {"label": text}),
        ("POST", "/api/push/subscribe", {"endpoint": text, "keys": {"p256dh": text * 80, "auth": text * 20}}),
        ("POST", "/api/push/unsubscribe", {"endpoint": text}),
    ]


PLACES = ["/api/tables/{}", "/api/tables/{}/talk", "/api/games/{}", "/api/tables?game={}", "/api/tables?after={}", "/{}"]


@pytest.mark.parametrize("text", STRANGE, ids=ascii)
def test_no_text_over_http_is_too_strange(tmp_path: Path, url: str, text: str) -> None:
    async def main() -> None:
        async with built(tmp_path, url) as house, house.person("Aiko") as client:
            table = (await client.post("/api/tables", json={"game": "hanamikoji"})).json()["table"]
            bot = (await client.post("/api/me/bots", json={"name": "Robo"})).json()["id"]
            for method, path, body in requests(text, table, bot):
                await check(client, method, path, content=json.dumps(body), headers={"content-type": "application/json"})
            quoted = "".join(f"%{byte:02x}" for byte in text.encode("utf-8", "surrogatepass"))
            for path in PLACES:
                await check(client, "GET", path.format(quoted))
            await check(client, "DELETE", f"/api/me/passkeys/{quoted}")
            for header in (b"idempotency-key", b"user-agent", b"x-request-id"):
                await check(client, "POST", "/api/tables", json={"game": "kimono"}, headers={header: b"\xff\x80"})

    run(main())


async def check(client: httpx.AsyncClient, method: str, path: str, **request: Any) -> None:
    answer = await client.request(method, path, **request)
    assert answer.status_code < 500, f"{method} {path}: {answer.text}"


@pytest.mark.parametrize("packed", [False, True], ids=["json", "msgpack"])
def test_no_text_over_the_socket_is_too_strange(tmp_path: Path, url: str, packed: bool) -> None:
    async def main() -> None:
        async with built(tmp_path, url) as house, house.guest() as client:
            table = (await client.post("/api/tables", json={"game": "hanamikoji"})).json()["table"]
            socket = house.socket(client, packed=packed)
            for name in ("\0" * 16, "é" * 16, "x" * 16, "../../etc/passwd"):
                for kind in ("watch", "unwatch", "start", "resign"):
                    assert (await socket.ask(type=kind, table=name))["type"] in ("done", "refused")
                assert (await socket.ask(type="talk", table=name, text="hello"))["type"] == "refused"
            for text in ("\0", "a\0b", "\ufffe"):
                assert (await socket.ask(type="talk", table=table, text=text))["type"] in ("done", "refused")
                assert (await socket.ask(type="sit", table=table, seat=1, bot=text))["type"] == "refused"
                assert (await socket.ask(type="act", table=table, action={text: text}))["type"] == "refused"
            await still_answers(socket)
            await socket.leave()

    run(main())


def test_what_is_no_text_at_all_is_malformed(tmp_path: Path, url: str) -> None:
    async def main() -> None:
        async with built(tmp_path, url) as house, house.guest() as client:
            socket = house.socket(client)
            for raw in (r'{"type":"ping","request":5,"x":"\ud800"}', '{"type":"\ud800"}', b"\xa1\xff", b"\xed\xa0\x80", "\0"):
                start = len(socket.inbox)
                socket.send_raw(raw)
                answer = await socket.until(lambda message: message["type"] == "refused", start)
                assert answer["code"] == "malformed"
            await still_answers(socket)
            await socket.leave()

    run(main())


async def still_answers(socket: Guest) -> None:
    assert (await socket.ask(type="ping"))["type"] == "done"


def test_a_line_of_talk_is_kept_without_what_cannot_be_seen(tmp_path: Path, url: str) -> None:
    async def main() -> None:
        async with built(tmp_path, url) as house, house.guest() as client:
            at = f"/api/tables/{(await client.post('/api/tables', json={'game': 'kimono'})).json()['table']}/talk"
            assert (await client.post(at, json={"text": "good\0luck\u202e!"})).status_code == 200
            assert [line["text"] for line in (await client.get(at)).json()["lines"]] == ["good luck !"]

    run(main())
