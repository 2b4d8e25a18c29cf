"""A table: what its log leads to, and what may be done at it now. It does no I/O."""

from __future__ import annotations

from typing import Any

from zashiki.bots.levels import levels_of
from zashiki.core import entries
from zashiki.core.errors import IllegalAction, MalformedAction, MatchOver, NotYourTurn
from zashiki.core.game import Game
from zashiki.core.layout import CLOCK
from zashiki.core.match import Match
from zashiki.server import takeback
from zashiki.server.errors import Refused
from zashiki.server.fold import Decided, Fold, Line, Sitter, is_told
from zashiki.server.log import Kind
from zashiki.server.names import bot_name

__all__ = ["Decided", "Line", "Sitter", "Table", "check_level", "is_told"]

Step = tuple[Kind, int | None, int | None, Any]
"""An event in the making: its kind, seat, action and detail."""


def check_level(game: Game, level: str) -> None:
    """Refuses a level that the game has no bots of."""
    if level not in levels_of(game):
        raise Refused("wrong settings", f"{game.title} has bots of level {', '.join(levels_of(game))}, not {level[:40]!r}")


class Table(Fold):
    """A match on the server with its seats and clock. Each check gives the step that may be taken, or refuses."""

    __slots__ = ()

    def check_sit(self, account: Any, seat: int | None, bot: str | None) -> Step:
        """Somebody sits down, or comes back to a seat a bot was keeping; the host may seat a bot."""
        mine = self.seat_of(account.id)
        if mine is not None and bot is None and self.status == "playing":
            return self._check_return(mine)
        self._check_waiting()
        if bot is not None:
            return self._check_bot(account.id, seat, bot)
        if mine is not None and seat in (None, mine):
            raise Refused("seat taken", f"you sit in seat {mine} already")
        free = self._check_free(seat)
        # Whoever changes seats leaves the old one with the same event.
        detail = {"name": account.name, "account": account.id, "program": account.kind == "bot"}
        return Kind.SIT, free, None, detail

    def _check_bot(self, account: int, seat: int | None, level: str) -> Step:
        self._check_host(account)
        check_level(self.game, level)
        free = self._check_free(seat)
        return Kind.SIT, free, None, {"name": bot_name(free), "bot": level}

    def _check_return(self, seat: int) -> Step:
        sitter = self.seats[seat]
        if sitter is None or not sitter.away or sitter.resigned:
            raise Refused("seat taken", f"you sit in seat {seat} already")
        return Kind.RETURN, seat, None, None

    def check_stand(self, account: int, seat: int | None) -> Step:
        """Somebody leaves a seat before the start; the host may empty any."""
        self._check_waiting()
        mine = self.seat_of(account)
        seat = mine if seat is None else seat
        if seat is None or not 0 <= seat < len(self.seats) or self.seats[seat] is None:
            raise Refused("not seated", "there is nobody in that seat" if mine is not None else "you have no seat at this table")
        if seat != mine:
            self._check_host(account)
        return Kind.STAND, seat, None, None

    def check_start(self, account: int) -> Step:
        """The match begins."""
        self._check_waiting()
        self._check_host(account)
        empty = [seat for seat, sitter in enumerate(self.seats) if sitter is None]
        if empty:
            raise Refused("not started", f"seat {empty[0]} is empty: somebody must sit there, or a bot")
        return Kind.START, None, None, None

    def check_act(self, account: int, action: Any, stale: bool) -> Step:
        """A seat's own hand does something. `stale`: it decided about something else."""
        seat = self._check_playing(account)
        assert self.match is not None
        try:
            number = self.game.vocabulary.number(action)
        except MalformedAction as error:
            raise Refused("malformed", str(error)) from None
        if stale:
            raise Refused("stale", "the table has moved on since you decided: look at it again")
        if self.match.state.refusal(seat, number) != entries.DONE:
            raise self._refusal(seat, number)
        return Kind.ACT, seat, number, None

    def _refusal(self, seat: int, number: int) -> Refused:
        assert self.match is not None
        try:
            self.match.copy().act(seat, number)
        except MatchOver as error:
            return Refused("match over", str(error))
        except NotYourTurn as error:
            return Refused("not your turn", str(error))
        except IllegalAction as error:
            return Refused("illegal action", str(error))
        raise AssertionError("what is refused is not legal")

    def check_hints(self, account: int) -> int:
        """The seat of whoever may be helped: against bots alone or where that was agreed, with something to decide."""
        seat = self._check_playing(account)
        assert self.match is not None
        if self.settings.strict:
            raise Refused("forbidden", "at this table there are no hints")
        among_people = any(sitter and sitter.account is not None for other, sitter in enumerate(self.seats) if other != seat)
        if among_people and not self.settings.hints:
            raise Refused("forbidden", "hints are for whoever plays against bots alone, and for tables that have agreed on them")
        if not self.match.view(seat).legal(seat):
            raise Refused("not your turn", "you have nothing to decide now")
        return seat

    def check_warning(self, account: int, action: int) -> int:
        """The same for whoever asks about one action, which must be legal."""
        seat = self.check_hints(account)
        assert self.match is not None
        if action not in self.match.view(seat).legal(seat):
            raise Refused("illegal action", "that is not among your legal actions now")
        return seat

    def check_resign(self, account: int) -> Step:
        """A player gives up."""
        return Kind.RESIGN, self._check_playing(account), None, None

    def check_take_back(self, account: int, answer: str) -> Step:
        """A player asks to take the last action back, agrees or refuses. Among bots nobody needs to be asked."""
        seat = self._check_playing(account)
        assert self.match is not None
        if answer == "ask":
            return self._check_ask_back(self.match, seat)
        if self.asked_back is None or self.asked_back[0] == seat:
            raise Refused("nothing to answer", "nobody else has asked to take an action back")
        asker, count, agreed = self.asked_back
        if answer == "refuse":
            return Kind.REFUSE_BACK, seat, None, None
        if all(other in (asker, seat) or other in agreed for other in self.persons()):
            return Kind.TAKE_BACK, asker, count, None
        return Kind.AGREE_BACK, seat, None, None

    def _check_ask_back(self, match: Match, seat: int) -> Step:
        if self.settings.strict:
            raise Refused("nothing to take back", "at this table nothing is taken back")
        if self.bits >> CLOCK & 1:
            raise Refused("nothing to take back", "nothing can be taken back where everybody acts at any time")
        if self.asked_back is not None:
            raise Refused("nothing to take back", f"seat {self.asked_back[0]} has asked already: that must be answered first")
        count = takeback.moves_undone(match, seat, self.persons())
        alone = all(other == seat for other in self.persons())
        return (Kind.TAKE_BACK if alone else Kind.ASK_BACK), seat, count, None

    def check_rematch(self, account: int, agree: bool) -> Step:
        """A player wants to play again, or not."""
        seat = self._check_seated(account)
        if self.status != "over":
            raise Refused("not over", "the match is not over yet")
        if self.next:
            raise Refused("already started", f"the next match is at table {self.next}")
        return (Kind.REMATCH if agree else Kind.NO_REMATCH), seat, None, None

    def check_close(self, account: int) -> Step:
        """The host closes the table before the match; later all people must agree to abandon it."""
        if self.status == "waiting":
            self._check_host(account)
            return Kind.CLOSE, None, None, {"reason": "closed by the host"}
        seat = self._check_playing(account)
        others = [other for other in self.persons() if other != seat]
        if all(other in self.abandoning for other in others):
            return Kind.CLOSE, seat, None, {"reason": "abandoned by all players"}
        return Kind.ABANDON, seat, None, None

    def wants_rematch(self, also: int | None = None) -> bool:
        """Whether everybody who could wants to play again; `also`: a seat that is about to say so."""
        if self.status != "over" or self.next:
            return False
        here = {seat for seat, sitter in enumerate(self.seats) if sitter and sitter.account is not None}
        return bool(here) and self.rematch | {also} >= here

    def _check_waiting(self) -> None:
        if self.status == "closed":
            raise Refused("match over", "this table is closed")
        if self.status != "waiting":
            raise Refused("already started", "the match has begun")

    def _check_host(self, account: int) -> None:
        if account != self.host:
            raise Refused("not the host", "only the host of the table may do that")

    def _check_free(self, seat: int | None) -> int:
        free = [place for place, sitter in enumerate(self.seats) if sitter is None]
        if seat is not None and not 0 <= seat < len(self.seats):
            raise Refused("malformed", f"this table has seats 0 to {len(self.seats) - 1}, there is no seat {seat}")
        if not free:
            raise Refused("table full", "every seat is taken")
        if seat is not None and seat not in free:
            raise Refused("seat taken", f"seat {seat} is taken")
        return free[0] if seat is None else seat

    def _check_seated(self, account: int) -> int:
        seat = self.seat_of(account)
        if seat is None:
            raise Refused("not seated", "you have no seat at this table")
        return seat

    def _check_playing(self, account: int) -> int:
        seat = self._check_seated(account)
        if self.status == "waiting":
            raise Refused("not started", "the match has not begun")
        if self.status != "playing":
            raise Refused("match over", "the match is over")
        sitter = self.seats[seat]
        assert sitter is not None
        if sitter.resigned:
            raise Refused("match over", "you have given up this match")
        if sitter.away:
            raise Refused("stale", "a bot keeps your seat: sit down again to play on")
        return seat
