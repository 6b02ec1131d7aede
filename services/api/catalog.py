"""Serve CatalogService."""

from typing import Any

from engine.core.registry import GAMES
from services.api import convert
from services.api.rpc import Call
from services.errors import invalid
from services.matches.plan import rules_of
from veche.v1 import catalog_pb2


class CatalogServicer:
    """Tell which games are here."""

    def __init__(self, policies: tuple[str, ...]) -> None:
        self._policies = policies

    def _game(self, game: str) -> catalog_pb2.Game:
        info = rules_of(game).info
        return catalog_pb2.Game(
            id=info.id,
            name=info.name,
            rules_version=info.rules_version,
            data_version=info.data_version,
            min_seats=info.min_seats,
            max_seats=info.max_seats,
            options=[
                catalog_pb2.GameOption(
                    name=option.name,
                    type="enum" if option.choices and option.type == "str" else option.type,
                    default_value=option.default,
                    help=option.help,
                    choices=option.choices,
                )
                for option in info.options
            ],
            flags=info.flags,
            max_decisions=info.max_decisions,
            provenance=info.provenance,
            policies=self._policies,
        )

    async def ListGames(self, message: catalog_pb2.ListGamesRequest, call: Call) -> Any:  # noqa: N802
        limit = convert.page_size(message.page_size, 50, 200)
        _, start = convert.page_start(message, (0, ""))
        games = sorted(game for game in GAMES if game > start)
        return catalog_pb2.ListGamesResponse(
            games=[self._game(game) for game in games[:limit]],
            next_page_token=convert.page_token(message, (0, games[limit - 1])) if len(games) > limit else "",
        )

    async def GetGame(self, message: catalog_pb2.GetGameRequest, call: Call) -> Any:  # noqa: N802
        if not message.game:
            raise invalid("game", "is required; ListGames tells which there are")
        return catalog_pb2.GetGameResponse(game=self._game(message.game))
