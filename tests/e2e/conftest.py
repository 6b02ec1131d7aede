import pytest

from tests.e2e.host import Host


@pytest.fixture
def host(tmp_path):
    started = Host(tmp_path)
    yield started
    started.close()
