"""Strangers: connections with hostile octets, and connections that are slow on purpose."""

import asyncio
import re
import socket
import struct

STATUS = re.compile(rb"HTTP/1\.1 (\d{3})")
CLOSING = re.compile(rb"HTTP/1\.1 (\d{3})[^\r\n]*\r\n(?:[^\r\n]+\r\n)*?connection: close\r\n", re.IGNORECASE)


class Tally:
    """What strangers have sent and seen."""

    def __init__(self):
        self.requests = self.connections = self.refused = 0
        self.statuses = {}
        self.findings = {}

    def note(self, shape, answer):
        statuses = [int(status) for status in STATUS.findall(answer)]
        for status in statuses:
            self.statuses[status] = self.statuses.get(status, 0) + 1
            if status >= 500 and status not in (501, 503):
                self.find(f"status {status}", shape)
        if shape.is_ambiguous and (len(statuses) > 1 or any(status < 400 for status in statuses)):
            self.find(f"ambiguous framing was answered {statuses}", shape)
        closing = CLOSING.search(answer)
        if closing and STATUS.search(answer, closing.end()):
            self.find("answered after connection: close", shape)

    def find(self, what, shape):
        entry = self.findings.setdefault(what, {"count": 0, "example": repr(shape.octets[:300])})
        entry["count"] += 1


async def connect(server, draw, source):
    """A connection to the service, or to the management port in one of seven cases."""
    if draw.randrange(7) == 0:
        return await asyncio.open_connection("127.0.0.1", server.management_port, local_addr=(source, 0))
    return await asyncio.open_connection(
        "127.0.0.1", server.port, ssl=server.stranger, server_hostname="127.0.0.1", local_addr=(source, 0))


async def send(writer, shape, draw):
    """Sends a shape whole, in pieces, or not to its end; returns whether the rest is waited for."""
    way = draw.randrange(10)
    if way < 7:
        writer.write(shape.octets)
    elif way < 9:
        step = max(1, len(shape.octets) // draw.randint(2, 6))
        for start in range(0, len(shape.octets), step):
            writer.write(shape.octets[start:start + step])
            await writer.drain()
            await asyncio.sleep(draw.random() * 0.01)
    else:
        writer.write(shape.octets[: draw.randint(0, len(shape.octets))])
        await writer.drain()
        if draw.random() < 0.5:
            abort(writer)
            return False
    return True


def abort(writer):
    """Closes with a reset instead of a farewell."""
    plain = writer.get_extra_info("socket")
    if plain is not None:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def read(reader, patience):
    """Everything that comes until the connection is closed or nothing has come for a while."""
    answer = b""
    try:
        while piece := await asyncio.wait_for(reader.read(65_536), patience):
            answer += piece
    except (asyncio.TimeoutError, OSError):
        pass
    return answer


async def stranger(server, draw, tally, limit, is_over, source):
    """Opens one connection after the other until enough requests were sent."""
    from shapes import shape as drawn
    while tally.requests < limit and not is_over():
        shape = drawn(draw)
        tally.requests += shape.count
        tally.connections += 1
        try:
            reader, writer = await asyncio.wait_for(connect(server, draw, source), 10)
        except (OSError, asyncio.TimeoutError):
            tally.refused += 1
            if not server.lives:
                return
            continue
        try:
            if await send(writer, shape, draw):
                tally.note(shape, await read(reader, 0.05 if draw.random() < 0.9 else 1))
        except OSError:
            pass
        finally:
            writer.transport.abort()


async def slow(server, number, source, is_over, seen):
    """One connection that is never done: in the handshake, the head, a refused body or a wanted one; opens again."""
    while not is_over():
        try:
            await asyncio.wait_for(dawdle(server, number % 4, source, is_over), 600)
            seen["closed"] = seen.get("closed", 0) + 1
        except (OSError, asyncio.TimeoutError, EOFError):
            seen["refused"] = seen.get("refused", 0) + 1
        await asyncio.sleep(0.5)


async def dawdle(server, kind, source, is_over):
    context = None if kind == 0 else server.stranger
    reader, writer = await asyncio.wait_for(
        asyncio.open_connection(
            "127.0.0.1", server.port, ssl=context, server_hostname="127.0.0.1" if context else None,
            local_addr=(source, 0)), 30)
    first, rest = {
        0: (b"\x16\x03\x01", b"\x00"),
        1: (b"GET / HTTP/1.1\r\n", b"X: y\r\n"),
        2: (b"POST /nope HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n", b"a"),
        3: (b"POST /nevisfido/status HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            b"Content-Length: 60000\r\n\r\n{", b" "),
    }[kind]
    writer.write(first)
    try:
        while not is_over():
            await writer.drain()
            try:
                if not await asyncio.wait_for(reader.read(4096), 2):
                    return
            except asyncio.TimeoutError:
                writer.write(rest)
    finally:
        writer.transport.abort()
