from __future__ import annotations

import pytest

from zashiki.server.errors import Refused
from zashiki.server.names import LONGEST_KEY, clean_label, clean_name, guest_name, name_key


def test_a_name_is_kept_as_it_was_typed_without_needless_spaces() -> None:
    assert clean_name("  Aiko   of\u3000Kyōto ") == "Aiko of Kyōto"


@pytest.mark.parametrize("name", ["花見小路", "Ødegård", "Владимир", "Ελένη", "สมชาย", "Nguyễn Thị", "한국어", "O'Brien-Łuk 2"])
def test_names_of_all_peoples_are_welcome(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize("name", ["", " ", "a", "x" * 25, "ﷺ" * 3, "ß" * 24])
def test_a_name_is_neither_too_short_nor_too_long_not_even_unfolded(name: str) -> None:
    with pytest.raises(Refused, match="2 to 24 characters"):
        clean_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "Ai\u202eko",
        "Ai\u200bko",
        "Ai\u2066ko",
        "Ai\x00ko",
        "Ai\nko",
        "Ai\u3164ko",
        "Ai\ufe0fko",
        "Ai\u2028ko",
        "Ai\ue000ko",
        "Ai\u00adko",
    ],
)
def test_hidden_characters_and_direction_marks_are_refused(name: str) -> None:
    with pytest.raises(Refused, match="hidden or control"):
        clean_name(name)


def test_a_name_needs_a_letter_or_digit() -> None:
    with pytest.raises(Refused, match="letter or digit"):
        clean_name("!?…")


def test_accents_do_not_pile_up() -> None:
    with pytest.raises(Refused, match="accents"):
        clean_name("Ai" + "\u0331" * 6 + "ko")


def test_letters_that_look_the_same_are_not_mixed() -> None:
    with pytest.raises(Refused, match="mix"):
        clean_name("Аiko")  # the first letter is Cyrillic


def test_words_that_the_server_needs_are_nobodys_name() -> None:
    for name in ("Admin", "e r a s e d", "ＺＡＳＨＩＫＩ"):
        with pytest.raises(Refused, match="the server needs"):
            clean_name(name)


def test_names_that_look_alike_have_the_same_key() -> None:
    assert name_key("AIKO") == name_key("aiko") == name_key("Ａｉｋｏ") == name_key("ai-ko") == name_key("Ai Ko") == "aiko"
    assert name_key("Straße") == name_key("STRASSE")
    assert name_key("Aiko") != name_key("Aikō")


def test_guests_get_names_that_would_be_accepted() -> None:
    for _ in range(50):
        name = guest_name()
        assert clean_name(name) == name
        assert len(name_key(name)) <= LONGEST_KEY


def test_a_label_is_one_readable_line() -> None:
    assert clean_label(" at\x00 home\n") == "at home"
    with pytest.raises(Refused):
        clean_label("\u200b")
    with pytest.raises(Refused):
        clean_label("x" * 81)
