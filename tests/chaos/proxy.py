"""Stand between a pod and its Redis, and lose what a test says."""

import asyncio
import contextlib

from tests.ports import free_ports


class Proxy:
    """Forward bytes to `target`; `lose` swallows the replies to the next so many scripts, `cut` refuses everything."""

    def __init__(self, port: int) -> None:
        self.target = port
        (self.port,) = free_ports(1)
        self.lose = 0
        self.lost = 0
        self.scripts = 0
        #: What a script's call holds that is counted, and lost: at first a commit's.
        self.signs: tuple[bytes, ...] = (b":log\r\n", b":tick\r\n")
        self._server: asyncio.Server
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)

    async def cut(self) -> None:
        """Close the door and every connection."""
        self._server.close()
        for writer in list(self._writers):
            writer.transport.abort()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._writers.add(writer)
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self.target)
        self._writers.add(there_writer)
        losing = asyncio.Event()

        async def up() -> None:
            while data := await reader.read(1 << 16):
                if b"EVALSHA" in data and all(sign in data for sign in self.signs):
                    self.scripts += 1
                    if self.lose:
                        self.lose -= 1
                        losing.set()
                there_writer.write(data)

        async def down() -> None:
            while data := await there_reader.read(1 << 16):
                if losing.is_set():
                    # The script has run; nobody hears of it.
                    self.lost += 1
                    writer.transport.abort()
                    return
                writer.write(data)

        with contextlib.suppress(ConnectionError):
            pumps = [asyncio.create_task(up()), asyncio.create_task(down())]
            try:
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for pump in pumps:
                    pump.cancel()
                await asyncio.gather(*pumps, return_exceptions=True)
        for end in (writer, there_writer):
            end.transport.abort()
            self._writers.discard(end)
