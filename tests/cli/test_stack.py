import socket

from services.cli import stack


def listening(port: int = 0) -> socket.socket:
    taken = socket.socket()
    taken.bind((stack.HOST, port))
    taken.listen()
    return taken


def test_the_usual_port_is_taken_if_it_is_free(monkeypatch):
    with listening() as taken:
        port = taken.getsockname()[1]
    monkeypatch.setattr(stack, "PORT", port)
    assert stack._ports(None)[0] == port


def test_another_port_is_taken_if_the_usual_one_is_in_use(monkeypatch):
    with listening() as taken:
        monkeypatch.setattr(stack, "PORT", taken.getsockname()[1])
        assert stack.PORT not in stack._ports(None)


def test_a_port_asked_for_is_the_only_one_tried():
    assert stack._ports(4711) == [4711]


def test_port_0_means_any():
    assert 0 not in stack._ports(0)
