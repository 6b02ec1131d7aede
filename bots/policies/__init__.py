"""List the policies a worker can play.

A policy is a plain function. A blind one needs no more than the number of options and is cheap enough to run where the
turn arrives; a sighted one reads the seat's view and runs in a process of the pool.
"""

from collections.abc import Callable, Mapping
from random import Random

from bots.policies import automa, greedy, uniform
from engine.core.rules import View

Blind = Callable[[int, Random], int]
Sighted = Callable[[View, Random], int]

#: Policies that choose an index from the number of options alone.
BLIND: Mapping[str, Blind] = {
    "automa": automa.choose,
    "random": uniform.choose,
}

#: Policies that choose an index into `view.legal`.
SIGHTED: Mapping[str, Sighted] = {
    "greedy": greedy.choose,
}

#: Every policy by name.
NAMES: tuple[str, ...] = (*BLIND, *SIGHTED)
