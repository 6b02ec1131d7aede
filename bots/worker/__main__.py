"""Start a worker: pool first, then the loop; SIGTERM and SIGINT stop it in order."""

import asyncio
import logging
import signal
import sys

import structlog
import uvloop
from prometheus_client import start_http_server

from bots.worker import config as settings
from bots.worker.pool import Pool
from bots.worker.worker import Refused, Worker
from engine.core import registry


def main() -> int:
    """Run until told to stop; return 0, or 1 when the engine refuses this worker or its metrics find no port."""
    config = settings.read(None)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, config.log_level.upper(), logging.INFO)),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    if config.metrics is not None:
        host, port = config.metrics
        try:
            start_http_server(port, host)
        except OSError as error:
            structlog.get_logger().error("no place for the metrics", address=f"{host}:{port}", error=str(error))
            return 1
    registry.load(config.data_packs)
    pool = Pool(config.processes, config.games, config.data_packs)
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_work(config, pool))
    except Refused as refusal:
        structlog.get_logger().error("refused", why=str(refusal))
        return 1
    finally:
        pool.close()
    return 0


async def _work(config: settings.Config, pool: Pool) -> None:
    worker = Worker(config, pool)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, worker.stopping.set)
    await worker.run()


if __name__ == "__main__":
    sys.exit(main())
