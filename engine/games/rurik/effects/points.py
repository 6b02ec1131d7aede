"""Run the operations of the effect vocabulary."""

from collections.abc import Mapping
from typing import Any

from engine.core.effects import Operation
from engine.core.frames import Ctx
from engine.games.rurik.frames.attack import Attack
from engine.games.rurik.frames.deeds import ChooseDeed
from engine.games.rurik.frames.move import Move, Relocate
from engine.games.rurik.frames.muster import Muster
from engine.games.rurik.frames.pieces import gain_coins
from engine.games.rurik.frames.schemes import DrawSchemes


def _turn(ctx: Ctx) -> Any:
    """Return the turn being taken, which keeps tax and build points open until it ends."""
    return next(frame for frame in reversed(ctx.stack) if frame.__struct_config__.tag == "turn")


def _tax_points(ctx: Ctx, seat: int, amount: int) -> None:
    _turn(ctx).tax += amount


def _build_points(ctx: Ctx, seat: int, amount: int) -> None:
    _turn(ctx).build += amount


def _take_deed_cards(ctx: Ctx, seat: int, amount: int) -> None:
    for _ in range(amount):
        ctx.push(ChooseDeed(seat))


#: What each word of the vocabulary does.
OPERATIONS: Mapping[str, Operation] = {
    "muster_points": lambda ctx, seat, amount: ctx.push(Muster(seat, amount)),
    "movement_points": lambda ctx, seat, amount: ctx.push(Move(seat, amount)),
    "attack_points": lambda ctx, seat, amount: ctx.push(Attack(seat, amount)),
    "attack_points_one_less": lambda ctx, seat, amount: ctx.push(Attack(seat, amount, 1)),
    "tax_points": _tax_points,
    "build_points": _build_points,
    "coins": gain_coins,
    "draw_schemes": lambda ctx, seat, amount: ctx.push(DrawSchemes(seat, amount)),
    "relocate_troops": lambda ctx, seat, amount: ctx.push(Relocate(seat, amount)),
    "take_deed_cards": _take_deed_cards,
}
