"""Host matches as `make run` does, with real processes, and look for what is left of them."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from bots.console.text import HEIGHT, WIDTH
from tests.bots.terminal import CLEAR, Terminal

pytestmark = pytest.mark.processes

RUN = [sys.executable, "-m", "services.cli", "run"]


@pytest.fixture
def home(tmp_path):
    return {"VECHE_HOME": str(tmp_path / "home")}


def run(home, *flags: str, timeout: float = 240.0) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*RUN, *flags],
        env=os.environ | home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def belongings(home) -> dict[psutil.Process, list[str]]:
    """Return every live process that a launcher of this test's home has started, however deep, with its command."""
    found = {}
    for process in psutil.process_iter():
        # A process that ends while it is looked at is none of the live ones.
        with contextlib.suppress(psutil.Error):
            if process.environ().get("VECHE_HOME") == home["VECHE_HOME"]:
                found[process] = process.cmdline()
    return found


def wait_until_nothing_is_left(home, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while left := belongings(home):
        assert time.monotonic() < end, list(left.values())
        time.sleep(0.1)


def test_without_a_terminal_a_bot_plays_and_every_event_is_told_to_the_final_score(home):
    done = run(home, "--seed", "7")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("veche: Redis at 127.0.0.1:")
    assert lines[1].startswith("veche: engine at 127.0.0.1:")
    headings = [line for line in lines if re.match(r"Round \d, (strategy|action|claim) phase", line)]
    assert len(headings) == 12
    assert sum(line.startswith("Turn of ") for line in lines) > 30
    end = lines[lines.index("FINAL SCORE") :]
    rows = {line.split()[0]: line.split()[1:] for line in end[2:] if len(line.split()) == 3}
    sources = [name for name in rows if name not in ("total", "place")]
    for seat in (0, 1):
        assert sum(int(rows[name][seat]) for name in sources) == int(rows["total"][seat])
    assert re.fullmatch(r"seed 0{63}7, \d+ moves", end[-1])
    assert done.stderr == ""
    wait_until_nothing_is_left(home)
    assert list((Path(home["VECHE_HOME"]) / "runs").iterdir()) == []


def test_two_runs_at_the_same_time_do_not_meet(home, tmp_path):
    other = {"VECHE_HOME": str(tmp_path / "other")}
    processes = [
        subprocess.Popen([*RUN, "--seed", "3"], env=os.environ | h, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        for h in (home, home, other)
    ]
    told = [process.communicate(timeout=240)[0].decode() for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert len({re.search(r"engine at (\S+)", text)[1] for text in told}) == 3
    # The same seed plays the same match, whoever else plays on this machine.
    assert len({text[text.index("FINAL SCORE") :] for text in told}) == 1
    wait_until_nothing_is_left(home)
    wait_until_nothing_is_left(other)


@pytest.mark.parametrize("moment", ["at once", "in the middle"])
def test_no_process_outlives_a_killed_launcher(home, moment):
    process = subprocess.Popen(
        [*RUN, "--opponents", "random,random,random"],
        env=os.environ | home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("Turn of" if moment == "in the middle" else "veche: Redis"):
            break
    assert len(belongings(home)) > 1
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    wait_until_nothing_is_left(home)


def test_no_process_outlives_a_killed_make(home):
    make = f"import subprocess; subprocess.run({RUN!r})"
    process = subprocess.Popen(
        [sys.executable, "-c", make],
        env=os.environ | home | {"MAKELEVEL": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("Turn of"):
            break
    process.send_signal(signal.SIGKILL)
    process.wait()
    wait_until_nothing_is_left(home)
    process.stdout.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_everything(home, number):
    process = subprocess.Popen(
        RUN, env=os.environ | home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("Turn of"):
            break
    process.send_signal(number)
    assert process.wait(60) == 130
    process.stdout.close()
    wait_until_nothing_is_left(home)


def test_killed_parts_are_started_anew_and_the_match_goes_on(home):
    process = subprocess.Popen(
        [*RUN, "--seed", "5"], env=os.environ | home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    told, victims = [], ["services.server", "bots.worker", "services.server"]
    for line in process.stdout:
        told.append(line.rstrip("\n"))
        if line.startswith("Turn of") and victims and len([t for t in told if t.startswith("Turn of")]) % 6 == 0:
            victim = victims.pop(0)
            for part, command in belongings(home).items():
                if "tether.py" not in " ".join(command) and victim in command:
                    with contextlib.suppress(psutil.NoSuchProcess):
                        part.kill()
    assert process.wait(60) == 0
    process.stdout.close()
    assert victims == []
    undisturbed = run(home, "--seed", "5").stdout.splitlines()
    assert told[told.index("FINAL SCORE") :] == undisturbed[undisturbed.index("FINAL SCORE") :]
    assert told[3:] == [*told[3:4], *undisturbed[4:]]


@pytest.mark.parametrize(
    ("flags", "word"),
    [
        (["--game", "chess"], "chess"),
        (["--seats", "9"], "takes 2 to 4 seats"),
        (["--opponents", "genius"], "no opponent 'genius'"),
        (["--difficulty", "brutal"], "brutal"),
        (["--seed", "soon"], "seed"),
        (["--data-pack", "/nowhere"], "/nowhere"),
    ],
)
def test_a_wish_that_cannot_be_met_ends_the_run_with_a_reason_before_anything_starts(home, flags, word):
    done = run(home, *flags)
    assert done.returncode == 2
    assert re.fullmatch(rf"veche: .*{word}.*\n", done.stderr)
    assert done.stdout == ""
    assert not Path(home["VECHE_HOME"]).exists()


def test_a_person_plays_a_match_to_its_end_on_screens_of_100_by_40(home):
    terminal = Terminal([*RUN, "--seed", "7"], home)
    try:
        terminal.wait_for(r"\n> $")
        screens = []
        for _ in range(400):
            screens.append(terminal.screen)
            terminal.type("1")
            # Between two own decisions the screen waits for the others, then the match asks again or ends.
            if "FINAL SCORE" in terminal.wait_for(r"\n> $|\n.* wins?\n"):
                break
        assert terminal.end() == 0
    finally:
        terminal.close()
    assert "FINAL SCORE" in terminal.screen
    for screen in screens:
        assert len(screen.splitlines()) <= HEIGHT
        assert max(map(len, screen.splitlines())) <= WIDTH
    assert any("The Rebellion" in screen for screen in screens)
    wait_until_nothing_is_left(home)


def test_a_person_quits_and_comes_back_with_the_printed_token(home):
    terminal = Terminal([*RUN, "--seed", "9", "--opponents", "greedy"], home)
    try:
        terminal.wait_for(r"choose a leader[\s\S]*\n> $")
        terminal.type("3")
        terminal.wait_for(r"agenda[\s\S]*\n> $")
        terminal.type("q")
        assert terminal.end() == 0
        token = re.search(r"make run RESUME=(\S+)", terminal.screen)
        assert token is not None, terminal.screen
    finally:
        terminal.close()
    wait_until_nothing_is_left(home)
    again = Terminal([*RUN, "--resume", token[1]], home)
    try:
        assert "Maria" in again.wait_for(r"agenda[\s\S]*\n> $")
        again.interrupt()
        assert again.end() == 130
        assert f"make run RESUME={token[1]}" in again.screen
    finally:
        again.close()
    wait_until_nothing_is_left(home)


def test_who_waits_for_another_person_quits_with_q_and_may_come_back(home):
    terminal = Terminal([*RUN, "--opponents", "open"], home)
    try:
        terminal.wait_for(r"They join with:\s+\S+ -m bots.console --engine \S+ --match \w+\n", 60)
        terminal.type("q")
        assert terminal.end() == 0
        assert "make run RESUME=" in terminal.screen
    finally:
        terminal.close()
    wait_until_nothing_is_left(home)


def test_keys_open_pages_and_mistakes_are_explained(home):
    terminal = Terminal(RUN, home)
    try:
        terminal.wait_for(r"choose a leader[\s\S]*\n> $")
        for key, word in (("h", "Highest power"), ("b", "BORDERS"), ("c", "DEED ROW"), ("o", "location order")):
            terminal.type(key)
            screen = terminal.wait_for(rf"{word}[\s\S]*\n> $")
            assert len(screen.splitlines()) <= HEIGHT
            assert max(map(len, screen.splitlines())) <= WIDTH
            terminal.type("")
            terminal.wait_for(r"choose a leader[\s\S]*\n> $")
        for nonsense, word in (("99", "There is no move 99"), ("fly", "no move, no key")):
            terminal.type(nonsense)
            terminal.wait_for(rf"{word}[\s\S]*\n> $")
        os.write(terminal.master, b"\x04")
        assert terminal.end() == 0
        assert "Traceback" not in terminal.text
    finally:
        terminal.close()


def test_without_colour_no_escape_but_the_clearing_reaches_the_terminal(home):
    terminal = Terminal(RUN, home | {"NO_COLOR": "1"})
    try:
        terminal.wait_for(r"choose a leader[\s\S]*\n> $")
        assert "\x1b" not in terminal.text.replace(CLEAR, "")
        terminal.type("q")
        terminal.end()
    finally:
        terminal.close()
