"""What matters of a match of Kasane in its last market, packed into a few numbers, so that a turn takes no time.

A hand is a number of 4 bits a card, the last card lowest. A kimono is a number, too: its last card, which fabrics it shows, how
many cards are laid with the accessories, and the points of its places and accessories. The places left are bits, and so are the
sizes of the rows. A turn is a row with what is played then: a combination, or nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zashiki.bots.tree import KEY_BITS
from zashiki.core.contract import Options
from zashiki.core.gears import rule
from zashiki.core.intrinsics import lowest, ones
from zashiki.core.layout import Record
from zashiki.games.kasane.cards import VARIETY
from zashiki.games.kasane.combinations import FIRST_MARK, KIND_SIZE, KINDS, MOST, PLACE_POINTS, kinds_of, links_between
from zashiki.games.kasane.rules import ACCESSORY, NOBODY, SECOND_PLACE, kimono_end
from zashiki.games.kasane.scoring import DOZEN, DOZEN_BONUS, LAID_FOR_VARIETY, PLACES, cards_laid, place_points

CARD_BITS, CARD = 4, 15
SHOWN, LAID, POINTS = 4, 14, 18
"""Where in a kimono's number the fabrics, the cards laid and the points are."""
ONE_LAID, ONE_POINT = 1 << LAID, 1 << POINTS
LAID_MASK, SHOWN_MASK = 15, 1023
ROW_BITS, ROW_MASK = 3, 7
SIZED = (1 << FIRST_MARK) - 1
NOTHING = 0
"""What is played in a turn without a combination; else it is the combination, from 1 on."""
TURN_BITS, TURN_MASK = 6, 63
MOST_TURNS = 80
"""No seat has as many turns to choose from: four rows with 17 combinations each, or nothing."""
PRIME = 0x9E3779B97F4A7C1

_SIZE = np.array(KIND_SIZE, np.int64)
_POINTS = np.array(PLACE_POINTS, np.int64)
_VARIETY = np.array(VARIETY, np.int64)

Market = npt.NDArray[Any]


@rule
def pack_hand(state: Record, seat: int) -> int:
    """A hand as a number."""
    hand = 0
    for i in range(int(state.hand_size[seat])):
        hand = hand << CARD_BITS | int(state.hands[seat, i])
    return hand


@rule
def pack_kimono(state: Record, seat: int) -> int:
    """A kimono as a number."""
    shown = 0
    for i in range(int(state.kimono_size[seat])):
        shown |= 1 << int(state.kimonos[seat, i])
    points = int(place_points(state, seat)) + int(state.accessories[seat])
    return max(kimono_end(state, seat), 0) | shown << SHOWN | cards_laid(state, seat) << LAID | points << POINTS


@rule
def pack_places(state: Record) -> int:
    """The places nobody has used, as bits."""
    free = 0
    for place in range(PLACES):
        if state.places[place] == NOBODY:
            free |= 1 << place
    return free


@rule
def pack_rows(state: Record) -> int:
    """The sizes of the rows."""
    rows = 0
    for row in range(len(state.row_size)):
        rows |= int(state.row_size[row]) << (ROW_BITS * row)
    return rows


@rule
def row_size(rows: int, row: int) -> int:
    """How many cards a row has left."""
    return rows >> (ROW_BITS * row) & ROW_MASK


@rule
def playable(hand: int, kimono: int, free: int) -> int:
    """The combinations that end with the last card of a hand and have a free place, as bits; the same as the rules'."""
    last, end = hand & CARD, kimono & CARD
    if last == 0:
        return 0
    kinds = free & SIZED | free >> SECOND_PLACE & ~SIZED
    found = 0
    links = -1
    first, total, numbers = last, last, 1 << last
    rest = hand >> CARD_BITS
    for size in range(1, MOST + 1):
        if size > 1:
            card = rest & CARD
            if card == 0:
                break
            rest >>= CARD_BITS
            links &= links_between(card, first)
            first, total, numbers = card, total + card, numbers | 1 << card
            found |= kinds_of(links, total, numbers, size) & kinds
        if end > 0 and size < MOST:
            on_kimono = kinds_of(links & links_between(end, first), total + end, numbers | 1 << end, size + 1)
            found |= (on_kimono & kinds) << KINDS
    return found


@rule
def taken(hand: int, card: int) -> int:
    """A hand after a card was taken."""
    return hand if card == ACCESSORY else hand << CARD_BITS | card


@rule
def adorned(kimono: int, card: int) -> int:
    """A kimono after a card was taken: an accessory is laid at once."""
    return kimono + ONE_LAID + ONE_POINT if card == ACCESSORY else kimono


@rule
def hand_cards(combination: int) -> int:
    """How many cards of the hand a combination lays."""
    return int(_SIZE[combination % KINDS]) - combination // KINDS


@rule
def place_of(combination: int, free: int) -> int:
    """The place a combination is played to: of a mark's two, the dearer first."""
    kind = combination % KINDS
    return kind if free >> kind & 1 else kind + SECOND_PLACE


@rule
def points_of_place(place: int) -> int:
    """What a place brings."""
    return int(_POINTS[place])


@rule
def lay(play: int, hand: int, kimono: int, free: int) -> tuple[int, int, int]:
    """Hand, kimono and free places after a combination was played, or NOTHING."""
    if play == NOTHING:
        return hand, kimono, free
    cards, place = hand_cards(play - 1), place_of(play - 1, free)
    shown, rest = 0, hand
    for _ in range(cards):
        shown |= 1 << (rest & CARD)
        rest >>= CARD_BITS
    kimono = ((kimono | shown << SHOWN) & ~CARD | hand & CARD) + cards * ONE_LAID + points_of_place(place) * ONE_POINT
    return rest, kimono, free & ~(1 << place)


@rule
def play_turn(turn: int, hand: int, kimono: int, free: int, rows: int, market: Market) -> tuple[int, int, int, int]:
    """Hand, kimono, free places and rows after a turn."""
    row = row_of(turn)
    card = int(market[row, row_size(rows, row) - 1])
    hand, kimono, free = lay(turn & TURN_MASK, taken(hand, card), adorned(kimono, card), free)
    return hand, kimono, free, rows - (1 << (ROW_BITS * row))


@rule
def row_of(turn: int) -> int:
    """The row that a turn takes from."""
    return turn >> TURN_BITS & TURN_MASK


@rule
def result(kimono: int) -> int:
    """What a kimono comes to in the end: its points with all bonuses and, to settle ties, the cards laid."""
    laid = kimono >> LAID & LAID_MASK
    points = kimono >> POINTS
    if laid >= LAID_FOR_VARIETY:
        points += int(_VARIETY[ones(kimono >> SHOWN & SHOWN_MASK)])
    if laid == DOZEN:
        points += DOZEN_BONUS
    return points << CARD_BITS | laid


@rule
def list_turns(hand: int, kimono: int, free: int, rows: int, market: Market, combo: int, turns: Options) -> int:
    """Lists everything a seat may do in its turn, with what it brings at once in the highest bits; tells how many."""
    count = 0
    for row in range(len(market)):
        size = row_size(rows, row)
        if size > 0:
            card = int(market[row, size - 1])
            count = _list_plays(taken(hand, card), adorned(kimono, card), free, row, card, combo, turns, count)
    return count


@rule
def _list_plays(hand: int, kimono: int, free: int, row: int, card: int, combo: int, turns: Options, count: int) -> int:
    """Adds what may be played after a card was taken, nothing among it; tells how many turns are listed then."""
    base = 3 if card == ACCESSORY else 0
    turns[count] = (base << TURN_BITS | row) << TURN_BITS | NOTHING
    count += 1
    if card == ACCESSORY and combo == 0:
        return count
    found = playable(hand, kimono, free)
    while found != 0:
        combination = lowest(found)
        found &= found - 1
        gain = base + 2 * points_of_place(place_of(combination, free)) + hand_cards(combination)
        turns[count] = (gain << TURN_BITS | row) << TURN_BITS | (combination + 1)
        count += 1
    return count


@rule
def best_first(turns: Options, count: int, place: int) -> int:
    """Puts the turn that brings most at once, of those from this place on, to this place; tells which it is."""
    best = place
    for i in range(place + 1, count):
        if turns[i] > turns[best]:
            best = i
    turn = turns[best]
    turns[best] = turns[place]
    turns[place] = turn
    return int(turn)


@rule
def mix(key: int, word: int) -> int:
    """A hash of what was there and a word more."""
    key = ((key ^ word) * PRIME) & KEY_BITS
    return key ^ key >> 32
