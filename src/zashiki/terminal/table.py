"""A match at the terminal: one person, the other seats played by a bot."""

from __future__ import annotations

import os
import time
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from rich.columns import Columns
from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from zashiki.bots.asking import HINT, answer, hints
from zashiki.core.errors import ZashikiError
from zashiki.core.layout import CLOCK
from zashiki.terminal import board, described
from zashiki.terminal.words import counted, for_seat, second_person

if TYPE_CHECKING:
    from zashiki.bots.bot import Budget, Estimate
    from zashiki.core.match import Event, Match

WIDTH, HEIGHT = 100, 45
"""The boards are drawn for a terminal of this size."""
LISTED = 24
"""With more legal actions than this, kinds are listed first."""
LOG_LINES = 14
HELP = "a number · words to narrow the list · [b]h[/]int · [b]u[/]ndo · [b]s[/]ave · [b]?[/] rules · [b]q[/]uit"
COMMANDS = {"h": "hint", "u": "undo", "s": "save", "?": "rules", "q": "quit"}


class TerminalTable:
    """Shows the table, asks the person, lets bots of a level play the rest. `pause` is how long each bot's move is shown."""

    def __init__(
        self,
        match: Match,
        seat: int,
        *,
        level: str = "club",
        console: Console | None = None,
        pause: float = 0.0,
        hint: Budget = HINT,
    ) -> None:
        self.match = match
        self.seat = seat
        self.console = console or Console()
        self.level = level
        self.hint = hint
        self.pause = pause
        self.narrowed: list[str] = []
        self.notice = ""
        self.leaving = False

    def play(self) -> None:
        """Plays to the end, or until the person leaves."""
        while not self.match.over:
            if self._others_to_act():
                self._let_a_bot_play()
            elif not self._ask(self._draw()):
                return
        self._draw()
        self._show_result()
        self._ask_after_the_match()

    def _others_to_act(self) -> list[int]:
        return [seat for seat in self.match.to_act if seat != self.seat]

    def _let_a_bot_play(self) -> None:
        seat = self._others_to_act()[0]
        if self.pause:
            self._draw()
            self.console.print(f"\n[dim]{self._name(seat)} is thinking …[/]", end="")
            time.sleep(self.pause)
        # By the match and the moment, so that who deals the same cards again meets the same bots.
        moment = f"{self.match.seed} {len(self.match.history)} {seat}"
        seed = int.from_bytes(blake2b(moment.encode(), digest_size=6).digest())
        self.match.act(seat, answer(self.match.view(seat), seat, self.level, seed))

    def _draw(self) -> int:
        """Shows the table and what happened; tells how many lines are left for choices."""
        self.console.clear()
        title = f"[b]{self.match.game.title}[/] · {', '.join(self._name(seat) for seat in range(self.match.seats))}"
        panel = Panel(board(self.match.view(self.seat), self.seat), title=title, border_style="#7E8790")
        left = self.console.height - len(self.console.render_lines(panel)) - 5
        self.console.print(panel)
        if self.console.width < WIDTH or left < 6:
            self.console.print(f"[#E6B84E]The board is drawn for a terminal of {WIDTH} columns and {HEIGHT} lines or more.[/]")
        news = self._news()[-max(2, min(LOG_LINES, left // 2)) :]
        for event in news:
            self.console.print(self._told(event))
        if self.notice:
            self.console.print(f"\n{self.notice}")
            left -= self.notice.count("\n") + 2
            self.notice = ""
        return max(4, left - len(news))

    def _news(self) -> list[Event]:
        """What happened since the person's own last decision, that one included."""
        events = self.match.events(self.seat)
        own = [place for place, event in enumerate(events) if event.seat == self.seat]
        return events[own[-1] if own else 0 :]

    def _told(self, event: Event) -> Text:
        mine = event.seat == self.seat
        words = for_seat(event.action.words(), self.seat)
        line = Text(f"  {self._name(event.seat):>6}  ", style="bold" if mine else "")
        line.append("shown: " if event.revealed else "", style="dim")
        line.append(second_person(words) if mine else words, style="" if mine else "#B5AB95")
        return line

    def _name(self, seat: int) -> str:
        if seat == CLOCK:
            return "Clock"
        return "You" if seat == self.seat else f"Seat {seat}"

    def _ask(self, lines: int) -> bool:
        """Asks once; False if the person leaves."""
        choices = self._list_choices(lines)
        answer = self.console.input("\n[b #EE7A5C]Your choice[/] › ").strip().lower()
        command = COMMANDS.get(answer, answer)
        if command == "quit":
            return self._stays()
        self.leaving = False
        if command in COMMANDS.values():
            getattr(self, f"_{command}")()
        elif answer.isdecimal():
            self._choose(choices, int(answer))
        elif answer:
            self._narrow(answer.split())
        else:
            self.narrowed = []
        return True

    def _stays(self) -> bool:
        """A match in play is left only when asked twice."""
        if self.leaving or not self.match.history:
            return False
        self.leaving = True
        self.notice = "[#EE7A5C]Leave this match? [b]q[/] again leaves it, [b]s[/] saves it first.[/]"
        return True

    def _list_choices(self, lines: int) -> list[list[int]]:
        """Lists what can be chosen; each entry stands for one action, or for all of one kind."""
        legal = self._matching(self.narrowed)
        kinds: dict[str, list[int]] = {}
        for number in legal:
            kinds.setdefault(self._kind(number), []).append(number)
        if len(legal) > LISTED and len(kinds) > 1:
            choices = list(kinds.values())
            words = [f"{kind} [dim]({counted(len(numbers), 'way')})[/]" for kind, numbers in kinds.items()]
        else:
            choices = [[number] for number in legal]
            words = [escape(self._words(number)) for number in legal]
        shown = min(LISTED, len(words), lines * self._columns(words))
        self.console.print(Rule(style="#3D454C"))
        listed = [f"[b]{place:>2}[/] {text}" for place, text in enumerate(words[:shown], 1)]
        self.console.print(Columns(listed, padding=(0, 3), column_first=True))
        if len(words) > shown:
            more = f"and {len(words) - shown} more: narrow them by words, such as “{self._example(legal)}”"
            self.console.print(f"[#E6B84E]{more}[/]")
        if self.narrowed:
            self.console.print(f"[dim]narrowed by “{escape(' '.join(self.narrowed))}”, Enter shows all[/]")
        self.console.print(f"[dim]{HELP}[/]")
        return choices[:shown]

    def _columns(self, words: list[str]) -> int:
        longest = max((len(Text.from_markup(each)) for each in words), default=1)
        return max(1, self.console.width // (longest + 6))

    def _words(self, number: int) -> str:
        action = self.match.game.vocabulary[number]
        return second_person(for_seat(described(self.match.view(self.seat), action), self.seat))

    def _example(self, legal: list[int]) -> str:
        """A word that some of the actions have and others have not."""
        phrases = [self._words(number).replace(",", " ").split() for number in legal]
        last = phrases[-1]
        return next((word for word in reversed(last) if not all(word in phrase for phrase in phrases)), last[-1])

    def _kind(self, number: int) -> str:
        return str(self.match.game.vocabulary.to_json(number)["type"])

    def _matching(self, words: list[str]) -> list[int]:
        legal = self.match.legal_actions(self.seat).numbers
        return [n for n in legal if all(word in f"{self._kind(n)} {self._words(n)}".lower() for word in words)]

    def _choose(self, choices: list[list[int]], place: int) -> None:
        if not 1 <= place <= len(choices):
            self.notice = f"[#EE7A5C]There is no {place} here: choose from 1 to {len(choices)}.[/]"
        elif len(choices[place - 1]) > 1:
            self.narrowed = self._kind(choices[place - 1][0]).lower().split()
        else:
            self.narrowed = []
            self.match.act(self.seat, choices[place - 1][0])

    def _narrow(self, words: list[str]) -> None:
        """Narrows the list further, or, if nothing is left of it, from the whole list again."""
        for narrowed in ([*self.narrowed, *words], words):
            if self._matching(narrowed):
                self.narrowed = narrowed
                return
        self.notice = f"[#EE7A5C]Nothing you may do now has the words “{escape(' '.join(words))}” in it.[/]"

    def _hint(self) -> None:
        if len(self.match.legal_actions(self.seat)) == 1:
            self.notice = "[#E6B84E]There is only this one thing to do.[/]"
            return
        self.console.print("[dim]Thinking …[/]", end="")
        best = hints(self.match.view(self.seat), self.seat, self.hint)[:3]
        lines = [f"  {estimate.chance:>4.0%}  {_points(estimate)}  {escape(self._words(estimate.action))}" for estimate in best]
        self.notice = "[#E6B84E]The chance to win, and the points to expect, as the strongest bot sees it:[/]\n" + "\n".join(
            lines
        )

    def _undo(self) -> None:
        """Goes back to the person's own last decision."""
        own = [place for place, move in enumerate(self.match.history) if move.seat == self.seat]
        if not own:
            self.notice = "[#EE7A5C]You have done nothing yet that could be taken back.[/]"
            return
        self.match.take_back(len(self.match.history) - own[-1])
        self.narrowed = []

    def _save(self) -> None:
        file = Path(f"{self.match.game.id}-{self.match.seed:x}.zashiki.json")
        try:
            file.write_text(self.match.save(), "utf-8")
        except OSError as error:
            self.notice = f"[#EE7A5C]{file} could not be written: {error.strerror}.[/]"
            return
        seat = f" --seat {self.seat}" if self.seat else ""
        self.notice = f"Saved as [b]{file}[/]. Go on with [b]zashiki play --resume {file}{seat}[/]"

    def _rules(self) -> None:
        # Without this `less` shows colours as codes.
        os.environ.setdefault("LESS", "-R")
        with self.console.pager(styles=True):
            self.console.print(Markdown(self.match.game.rulebook()))
            self.console.print("\n[b]Numbers that are ours[/]")
            for number, words in self.match.game.house_numbers.items():
                self.console.print(f"  {number}: {words}")

    def _show_result(self) -> None:
        outcome = self.match.outcome
        assert outcome
        table = Table(title="The result", title_justify="left", border_style="#7E8790")
        table.add_column("")
        for seat in range(self.match.seats):
            table.add_column(self._name(seat), justify="right", style="bold" if seat == self.seat else "")
        scores = self.match.scores()
        parts = self.match.game.rules.PARTS
        if len(parts) > 1:
            for part in parts:
                table.add_row(part, *(str(each[part]) for each in scores))
            table.add_section()
        table.add_row("points" if len(parts) > 1 else parts[0], *(str(sum(each.values())) for each in scores))
        self.console.print(table)
        names = " and ".join("you" if seat == self.seat else self._name(seat).lower() for seat in outcome.winners)
        self.console.print(f"[b #E6B84E]Won by {names}[/]: {outcome.reason}.")

    def _ask_after_the_match(self) -> None:
        while self.console.input("\n[dim][b]s[/] saves the match, Enter leaves[/] › ").strip().lower() in ("s", "save"):
            self._save()
            self.console.print(self.notice)


def resumed(file: Path) -> Match:
    """The match in a saved-match file."""
    from zashiki.core.match import Match

    try:
        return Match.load(file.read_bytes())
    except OSError as error:
        raise ZashikiError(f"{file} cannot be read: {error.strerror}") from None


def _points(estimate: Estimate) -> str:
    return " " * 6 if estimate.points is None else f"{estimate.points:>+6.1f}"
