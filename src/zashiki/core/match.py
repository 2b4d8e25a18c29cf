"""`Match`: one sitting of a game, with its history. It verifies everything; the rules underneath trust."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from zashiki.core import saved
from zashiki.core.checks import shown, whole
from zashiki.core.errors import (
    DamagedMatch,
    IllegalAction,
    MalformedAction,
    MatchOver,
    NothingToTakeBack,
    NotYourTurn,
    OtherRules,
    TamperedMatch,
    UnknownGame,
    WrongOption,
    WrongSeats,
    WrongSeed,
)
from zashiki.core.game import Game, as_game
from zashiki.core.layout import CLOCK, SEALED, SPECTATOR, VOID

if TYPE_CHECKING:
    from zashiki.core.actions import Action
    from zashiki.core.state import Seed, State


class Move(NamedTuple):
    """A seat and the number of what it did."""

    seat: int
    action: int


TOLD, OPENED, REVEALED = range(3)


class Entry(NamedTuple):
    """A line of the log: a move as it was made, one that nothing keeps secret any more, or an earlier one shown now."""

    seat: int
    action: int
    kind: int


class Event(NamedTuple):
    """What somebody is told of a move: `revealed` when an earlier secret choice is shown."""

    seat: int
    action: Action
    revealed: bool = False


class Outcome(NamedTuple):
    """Who won, and why the match ended."""

    winners: tuple[int, ...]
    reason: str


def told(game: Game, viewer: int, entry: Entry) -> Event | None:
    """What a seat, or a spectator, is told by a line of the log; None: nothing."""
    action = game.vocabulary[entry.action]
    if viewer == entry.seat:
        return None if entry.kind == REVEALED else Event(entry.seat, action)
    if entry.kind != TOLD or action.secrecy == "open":
        return Event(entry.seat, action, entry.kind == REVEALED)
    return None if action.secrecy == "silent" else Event(entry.seat, action.veiled())


class LegalActions(Sequence["Action"]):
    """The legal actions of a seat: count them, iterate, test with `in`. `numbers` has them as numbers."""

    __slots__ = ("_game", "numbers")

    def __init__(self, game: Game, numbers: list[int]) -> None:
        self._game = game
        self.numbers = numbers

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, place: int) -> Action: ...
    @overload
    def __getitem__(self, place: slice) -> list[Action]: ...
    def __getitem__(self, place: int | slice) -> Action | list[Action]:
        if isinstance(place, slice):
            return [self._game.vocabulary[number] for number in self.numbers[place]]
        return self._game.vocabulary[self.numbers[place]]

    def __contains__(self, action: object) -> bool:
        try:
            return self._game.vocabulary.number(action) in self.numbers
        except MalformedAction:
            return False

    def __repr__(self) -> str:
        return f"<{len(self)} legal actions>"


class Match:
    """A match of a game from its deal on.

    It knows everything. A player may be shown `view(seat)`, `events(seat)`, `legal_actions(seat)` of the own seat and the texts
    of refusals; `to_act`, `history`, `scores()` and other seats' legal actions can tell secrets.
    """

    def __init__(
        self, game: Game | str, seats: int | None = None, *, options: dict[str, Any] | None = None, seed: Seed = None
    ) -> None:
        from zashiki.core.state import State, seed_number

        self.game = game = as_game(game)
        self.seats = game.check_seats(game.seats[0] if seats is None else seats)
        self.options = game.full_options(options)
        self.seed = seed_number(seed)
        self.state: State = State.dealt(game, self.seats, game.option_numbers(options), self.seed)
        self._history: list[Move] = []
        self._log: list[Entry] = []
        self._sealed: list[Move] = []

    def __repr__(self) -> str:
        return f"<match of {self.game.id}, {self.seats} seats, {len(self._history)} moves, {'over' if self.over else 'going on'}>"

    @property
    def history(self) -> tuple[Move, ...]:
        """Every move so far."""
        return tuple(self._history)

    @property
    def log(self) -> Sequence[Entry]:
        """Every line of the log, for `told`. It knows everything."""
        return self._log

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now; CLOCK among them where time may."""
        bits = self.state.to_act()
        return tuple(seat for seat in range(CLOCK + 1) if bits >> seat & 1)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.state.to_act() == 0

    @property
    def outcome(self) -> Outcome | None:
        """Who won and why; None while the match goes on."""
        bits = int(self.state.records["winners"][0])
        if not bits:
            return None
        winners = tuple(seat for seat in range(self.seats) if bits >> seat & 1)
        return Outcome(winners, self.game.layout.endings[int(self.state.records["ending"][0])])

    def legal_actions(self, seat: int | None = None) -> LegalActions:
        """What a seat may do now; without a seat, that of the only one to act."""
        return LegalActions(self.game, self.state.legal(self._only_seat() if seat is None else self._check_seat(seat)))

    def act(self, seat: int, action: object) -> None:
        """Carries out an action: its number, its structure, or its JSON form. A refused one changes nothing."""
        self.play(self._check_seat(seat), self.game.vocabulary.number(action))

    def play(self, seat: int, number: int) -> None:
        """The same for a seat and a number that are known to be of this match: only whether it is legal now is verified."""
        move = Move(seat, number)
        refusal = self.state.act(seat, number)
        if refusal:
            raise self._refused(seat, number, refusal)
        self._history.append(move)
        self._tell(move)

    def view(self, seat: int = SPECTATOR) -> State:
        """What a seat, or a spectator, may know now."""
        return self.state.view(self._check_viewer(seat))

    def scores(self) -> list[dict[str, int]]:
        """The points each seat would have if the match ended now, by their parts, hidden cards counted.

        What a seat may know of them is `view(seat).scores()`.
        """
        return self.state.scores()

    def events(self, seat: int = SPECTATOR) -> list[Event]:
        """The moves so far as a seat, or a spectator, was told of them."""
        viewer = self._check_viewer(seat)
        events = (told(self.game, viewer, entry) for entry in self._log)
        return [event for event in events if event]

    def take_back(self, count: int = 1) -> None:
        """Undoes the last moves, for analysis."""
        number = whole(count)
        if number is None or not 0 <= number <= len(self._history):
            raise NothingToTakeBack(f"{len(self._history)} moves were made, {shown(count)} cannot be taken back")
        self._become(self.at(len(self._history) - number))

    def at(self, count: int) -> Match:
        """This match as it was after its first `count` moves."""
        number = whole(count)
        if number is None or not 0 <= number <= len(self._history):
            raise NothingToTakeBack(f"{len(self._history)} moves were made, there is no moment {shown(count)}")
        earlier = Match(self.game, self.seats, options=self.options, seed=self.seed)
        for seat, action in self._history[:number]:
            earlier.act(seat, action)
        return earlier

    def replay(self) -> Iterator[Match]:
        """This match from its deal on, a move further each time; the same object is given again and again."""
        again = self.at(0)
        yield again
        for seat, action in self._history:
            again.act(seat, action)
            yield again

    def __copy__(self) -> Match:
        return self.copy()

    def copy(self) -> Match:
        """The same match, to go its own way."""
        twin = Match.__new__(Match)
        twin._become(self)
        twin.state, twin.options = self.state.copy(), dict(self.options)
        twin._history, twin._log, twin._sealed = self._history.copy(), self._log.copy(), self._sealed.copy()
        return twin

    def save(self) -> str:
        """The match as the text of a saved-match file. It holds the seed: keep it until the match is over."""
        return saved.SavedMatch(
            format=saved.FORMAT,
            game=self.game.id,
            rules=self.game.version,
            seats=self.seats,
            options=self.options,
            seed=f"{self.seed:032x}",
            actions=[(seat, action) for seat, action in self._history],
            digest=saved.digest(self.state),
        ).to_text()

    @classmethod
    def load(cls, text: str | bytes) -> Match:
        """The match in a saved-match file, replayed and compared with where the file says it leads."""
        file = saved.read(text)
        try:
            game = as_game(file.game)
        except UnknownGame as error:
            raise DamagedMatch(f"this match cannot be played here: {error}") from None
        if file.rules != game.version:
            raise OtherRules(f"this match was played by version {file.rules} of the rules of {game.title}, not {game.version}")
        try:
            match = cls(game, file.seats, options=file.options, seed=file.seed)
            for seat, action in file.actions:
                match.act(seat, action)
        except (IllegalAction, WrongSeats, WrongOption, WrongSeed, ValueError) as error:
            raise TamperedMatch(f"this match was never played like that: {error}") from None
        if saved.digest(match.state) != file.digest:
            raise TamperedMatch("the actions of this match do not lead to the state it was saved in")
        return match

    def _become(self, other: Match) -> None:
        self.game, self.seats, self.options, self.seed = other.game, other.seats, other.options, other.seed
        self.state, self._history, self._log, self._sealed = other.state, other._history, other._log, other._sealed

    def _check_seat(self, seat: int) -> int:
        number = whole(seat)
        if number is not None and (0 <= number < self.seats or number == CLOCK):
            return number
        raise WrongSeats(f"this match has seats 0 to {self.seats - 1}, there is no seat {shown(seat)}")

    def _check_viewer(self, seat: int) -> int:
        return SPECTATOR if whole(seat) == SPECTATOR else self._check_seat(seat)

    def _only_seat(self) -> int:
        seats = self.to_act
        if len(seats) != 1:
            raise NotYourTurn("name a seat: " + ("the match is over" if not seats else f"seats {seats} may act now"))
        return seats[0]

    def _refused(self, seat: int, number: int, refusal: int) -> IllegalAction:
        from zashiki.core import entries

        words = self.game.vocabulary[number].words()
        if refusal == entries.OVER:
            return MatchOver(f"the match is over, seat {seat} can do nothing more")
        if refusal == entries.NOT_YOUR_TURN:
            # Told from the seat's own view: who may act now can depend on choices it must not know.
            bits = self.view(seat).to_act() if seat != CLOCK else self.state.to_act()
            waiting = " and ".join(f"seat {other}" for other in range(self.seats) if bits >> other & 1)
            return NotYourTurn(f"seat {seat} has nothing to decide now; {waiting} may act")
        legal = self.legal_actions(seat)
        return IllegalAction(f"not allowed now: seat {seat} {words}; {len(legal)} actions are, such as: {legal[0].words()}")

    def _tell(self, move: Move) -> None:
        """Writes a move into the log, and after it what it has opened of earlier secret choices."""
        secret = self.game.vocabulary[move.action].secrecy in ("sealed", "silent")
        shut = secret and self.state.sealed(*move) == SEALED
        self._log.append(Entry(*move, OPENED if secret and not shut else TOLD))
        if self._sealed:
            fates = [(waiting, self.state.sealed(*waiting)) for waiting in self._sealed]
            # By seat: in which order they chose is nobody's business.
            self._log += [Entry(*waiting, REVEALED) for waiting, fate in sorted(fates) if fate not in (SEALED, VOID)]
            self._sealed = [waiting for waiting, fate in fates if fate == SEALED]
        if shut:
            self._sealed.append(move)
