"""The headers that every answer bears, whoever gives it."""

from __future__ import annotations

from litestar.types import Message, Send

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "media-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
    )
)
_NOT_OURS = "accelerometer camera display-capture geolocation gyroscope magnetometer microphone midi payment usb"
PERMISSIONS = ", ".join(
    [
        *(f"{feature}=()" for feature in _NOT_OURS.split()),
        "publickey-credentials-create=(self)",
        "publickey-credentials-get=(self)",
    ]
)
EVERYWHERE: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"permissions-policy", PERMISSIONS.encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
)
ONLY_TLS = (b"strict-transport-security", b"max-age=31536000")
KEEP_NOTHING = (b"cache-control", b"no-store")


def with_headers(send: Send, *, secure: bool, more: tuple[tuple[bytes, bytes], ...] = ()) -> Send:
    """`send`, with these headers on every answer; what says nothing about caches is kept in none."""
    always = (*EVERYWHERE, ONLY_TLS, *more) if secure else (*EVERYWHERE, *more)

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = list(message.get("headers", ()))
            names = {name.lower() for name, _ in own}
            own += [pair for pair in always if pair[0] not in names]
            if b"cache-control" not in names:
                own.append(KEEP_NOTHING)
            message["headers"] = own
        await send(message)

    return sending
