"""Tables are read once, and whatever is wrong with them is named by file and field."""

import msgspec
import pytest

from engine.core import registry
from engine.core.errors import BadData
from engine.core.tables import Tables


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    worth: int
    source: str


GOOD = """
source: rulebook, p. 3
limits: {3: {hand: 5}}
cards:
- {id: feast, worth: 2, source: 'proposed: as worth as a fair'}
- {id: fair, worth: 2, source: {worth: 'public: a review', name: derived}}
"""


@pytest.fixture
def read(monkeypatch, tmp_path):
    def tables(text):
        path = tmp_path / "cards.yaml"
        path.write_text(text)
        monkeypatch.setattr(registry, "table", lambda game, name: (path, path.read_bytes()))
        return Tables("toy", ["cards"])

    return tables


def test_sources_are_counted_by_the_kind_that_they_name_first(read):
    assert read(GOOD).provenance == {"derived": 1, "proposed": 1, "public": 1, "rulebook": 1}


def test_the_version_is_that_of_the_bytes(read):
    assert read(GOOD).version == read(GOOD).version != read(f"{GOOD}\n").version


def test_a_field_is_found_by_its_path_numbers_included(read):
    assert read(GOOD).field(int, "cards", "limits.3.hand") == 5


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda t: t.field(int, "cards", "limits.4.hand"), "limits.4.hand: missing"),
        (lambda t: t.field(int, "cards", "source.page"), "source.page: missing"),
        (lambda t: t.field(int, "cards", "source"), "source: Expected `int`, got `str`"),
        (lambda t: t.records(Card, "cards", "cards"), "cards, fair: Expected `str`, got `object`"),
        (lambda t: t.records(dict, "cards", "cards", "worth"), "cards: 2 occurs twice"),
        (lambda t: t.whole(Card, "cards"), "Object contains unknown field `limits`"),
        (lambda t: t.require(False, "cards", "cards: too few"), "cards: too few"),
    ],
)
def test_a_fault_is_named_by_file_and_field(read, ask, says):
    with pytest.raises(BadData) as caught:
        ask(read(GOOD))
    assert f"cards.yaml: {says}" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("cards: [", "not YAML"),
        ("- 1", "must be a map of fields; got list"),
        ("source: hearsay", "a source names one of"),
    ],
)
def test_what_is_no_table_is_refused(read, text, says):
    with pytest.raises(BadData, match=says):
        read(text)
