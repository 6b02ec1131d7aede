"""Hold how the console reads: from terminals, pipes and nothing at all, with a question and without."""

import os
import pty

import pytest

from bots.console.terminal import Terminal


@pytest.fixture
def tty():
    master, slave = pty.openpty()
    yield master, slave
    for end in (master, slave):
        os.close(end)


def piped(data: bytes) -> Terminal:
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)
    return Terminal(colour=False, unicode=True, clear=False, keyboard=reading)


def terminal(keyboard: int | None) -> Terminal:
    return Terminal(colour=False, unicode=True, clear=True, keyboard=keyboard)


def test_what_is_typed_without_a_question_is_read_line_by_line_without_waiting(tty):
    master, slave = tty
    person = terminal(slave)
    assert person.typed() is None
    os.write(master, b"half")
    assert person.typed() is None
    os.write(master, b" A line\nQ\n")
    assert [person.typed(), person.typed(), person.typed()] == ["half a line", "q", None]


def test_the_end_of_input_at_a_terminal_quits_while_waiting_too(tty):
    master, slave = tty
    os.write(master, b"\x04")
    assert terminal(slave).typed() == "q"


def test_lines_typed_before_a_question_are_dropped_when_it_comes(tty):
    master, slave = tty
    person = terminal(slave)
    os.write(master, b"1\n2\n")
    assert person.typed() == "1"
    person.forget()
    os.write(master, b"3\n")
    assert person.ask() == "3"


def test_lines_of_a_pipe_wait_for_their_questions_and_its_end_quits():
    person = piped(b"1\n\nlast")
    person.forget()
    assert person.typed() is None
    assert [person.ask() for _ in range(5)] == ["1", "", "last", "q", "q"]


def test_a_closed_input_quits_at_the_first_question_and_is_not_read_before():
    person = terminal(None)
    assert person.typed() is None
    person.forget()
    assert person.ask() == "q"
    reading, writing = os.pipe()
    os.close(writing)
    os.close(reading)
    assert terminal(reading).ask() == "q"


def test_what_is_no_text_is_read_as_something_wrong_not_as_an_error():
    assert piped(b"\xff\xfe1\n").ask() == "\ufffd\ufffd1"


def test_who_is_asked_hears_what_happens_meanwhile_and_is_asked_again(tty, capsys):
    master, slave = tty
    told = iter(["", "Maria moves.", ""])

    def meanwhile() -> str:
        text = next(told, "")
        if not text:
            os.write(master, b"2\n")
        return text

    person = terminal(slave)
    assert person.ask(meanwhile) == "2"
    assert person.ask(meanwhile) == "2"
    assert capsys.readouterr().out == "> > \nMaria moves.\n> "


def test_the_asking_ends_when_there_is_no_more_to_ask(tty):
    assert terminal(tty[1]).ask(lambda: None) == ""


def test_lines_of_a_pipe_are_waited_for_without_a_look_at_anything_else():
    assert piped(b"1\n").ask(lambda: None) == "1"
