"""A match at the terminal: one person, the other seats played by a bot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.columns import Columns
from rich.console import Console, Group
from rich.markdown import Markdown
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from zashiki.bots.simple import SimpleBot
from zashiki.core.errors import ZashikiError
from zashiki.core.layout import CLOCK
from zashiki.terminal import board

if TYPE_CHECKING:
    from zashiki.core.match import Event, Match

LOG_LINES = 14
LISTED = 24
"""With more legal actions than this, kinds are listed first."""
HELP = "a number · words to narrow the list · [b]h[/] hint · [b]u[/] take back · [b]s[/] save · [b]?[/] rules · [b]q[/] leave"


class TerminalTable:
    """Shows the table, asks the person, lets the bot play the rest."""

    def __init__(self, match: Match, seat: int, *, console: Console | None = None, bot: SimpleBot | None = None) -> None:
        self.match = match
        self.seat = seat
        self.console = console or Console()
        self.bot = bot or SimpleBot()
        self.narrowed: list[str] = []
        self.notice = ""

    def play(self) -> None:
        """Plays to the end, or until the person leaves."""
        while not self.match.over:
            if not self._let_bots_play():
                self._draw()
                if not self._ask():
                    return
        self._draw()
        self._show_result()

    def _let_bots_play(self) -> bool:
        """One decision of a bot; False if only the person is left to decide."""
        others = [seat for seat in self.match.to_act if seat != self.seat]
        if not others:
            return False
        seat = others[0]
        if seat == CLOCK:
            self.match.act(seat, self.match.legal_actions(seat).numbers[0])
        else:
            self.match.act(seat, self.bot.choose(self.match.view(seat), seat))
        return True

    def _draw(self) -> None:
        self.console.clear()
        title = f"[b]{self.match.game.title}[/] · {', '.join(self._name(seat) for seat in range(self.match.seats))}"
        self.console.print(Panel(Group(board(self.match.view(self.seat), self.seat)), title=title, border_style="#7E8790"))
        for event in self._news():
            self.console.print(self._told(event))
        if self.notice:
            self.console.print(f"\n{self.notice}")
            self.notice = ""

    def _news(self) -> list[Event]:
        """What happened since the person's own last decision, that one included."""
        events = self.match.events(self.seat)
        own = [place for place, event in enumerate(events) if event.seat == self.seat]
        return events[own[-1] if own else 0 :][-LOG_LINES:]

    def _told(self, event: Event) -> Text:
        line = Text("  ")
        line.append(f"{self._name(event.seat):>6}  ", style="bold" if event.seat == self.seat else "")
        line.append(
            ("shown: " if event.revealed else "") + event.action.words(), style="" if event.seat == self.seat else "#B5AB95"
        )
        return line

    def _name(self, seat: int) -> str:
        if seat == CLOCK:
            return "Clock"
        return "You" if seat == self.seat else f"Seat {seat}"

    def _ask(self) -> bool:
        """Asks until something happens; False if the person leaves."""
        numbers = self._shown()
        answer = self.console.input("\n[b #EE7A5C]Your choice[/] › ").strip()
        commands = {"h": self._hint, "u": self._take_back, "s": self._save, "?": self._rules}
        if answer in ("q", "quit", "exit"):
            return False
        if answer in commands:
            commands[answer]()
        elif answer.isdigit():
            self._chosen(numbers, int(answer))
        elif answer:
            self._narrow(answer.lower().split())
        else:
            self.narrowed = []
        return True

    def _shown(self) -> list[list[int]]:
        """Lists what can be chosen; each line stands for one action, or for all of one kind."""
        legal = self._matching(self.narrowed)
        groups: dict[str, list[int]] = {}
        for number in legal:
            action = self.match.game.vocabulary[number]
            groups.setdefault(type(action).__name__ if len(legal) > LISTED else action.words(), []).append(number)
        lines = list(groups.values())
        if len(lines) > 1 and len(legal) > LISTED:
            words = [f"{self._kind(numbers[0])} [dim]({len(numbers)} ways)[/]" for numbers in lines]
        else:
            lines = [[number] for number in legal]
            words = [self.match.game.vocabulary[number].words() for number in legal]
        self.console.print(Rule(style="#3D454C"))
        listed = [f"[b]{place:>2}[/] {text}" for place, text in enumerate(words[:LISTED], 1)]
        self.console.print(Columns(listed, padding=(0, 3), column_first=True))
        if len(words) > LISTED:
            self.console.print(
                f"[#E6B84E]and {len(words) - LISTED} more: narrow them by words, such as “{self._example(legal)}”[/]"
            )
        narrowed = f" · narrowed by “{' '.join(self.narrowed)}”, Enter shows all" if self.narrowed else ""
        self.console.print(f"[dim]{HELP}{narrowed}[/]")
        return lines

    def _example(self, legal: list[int]) -> str:
        """A word that some of the actions have and others have not."""
        phrases = [self.match.game.vocabulary[number].words().replace(",", " ").split() for number in legal]
        first = phrases[-1]
        return next((word for word in reversed(first) if not all(word in phrase for phrase in phrases)), first[-1])

    def _kind(self, number: int) -> str:
        return str(self.match.game.vocabulary.to_json(number)["type"])

    def _matching(self, words: list[str]) -> list[int]:
        legal = self.match.legal_actions(self.seat).numbers
        vocabulary = self.match.game.vocabulary
        return [n for n in legal if all(w in f"{self._kind(n)} {vocabulary[n].words()}".lower() for w in words)]

    def _chosen(self, lines: list[list[int]], place: int) -> None:
        if not 1 <= place <= len(lines):
            self.notice = f"[#EE7A5C]There is no {place}: choose from 1 to {len(lines)}.[/]"
        elif len(lines[place - 1]) > 1:
            self.narrowed = [self._kind(lines[place - 1][0]).lower()]
        else:
            self.narrowed = []
            self.match.act(self.seat, lines[place - 1][0])

    def _narrow(self, words: list[str]) -> None:
        if self._matching(words):
            self.narrowed = words
        else:
            self.notice = f"[#EE7A5C]Nothing you may do now has the words “{' '.join(words)}” in it.[/]"

    def _hint(self) -> None:
        best = self.bot.estimates(self.match.view(self.seat), self.seat)[:3]
        lines = [f"  {estimate.worth:>4.0%}  {self.match.game.vocabulary[estimate.action].words()}" for estimate in best]
        self.notice = "[#E6B84E]A simple bot would try:[/]\n" + "\n".join(lines)

    def _take_back(self) -> None:
        """Goes back to the person's own last decision."""
        own = [place for place, move in enumerate(self.match.history) if move.seat == self.seat]
        if not own:
            self.notice = "[#EE7A5C]You have done nothing yet that could be taken back.[/]"
            return
        self.match.take_back(len(self.match.history) - own[-1])
        self.narrowed = []

    def _save(self) -> None:
        file = Path(f"{self.match.game.id}-{self.match.seed:032x}"[:24] + ".json")
        file.write_text(self.match.save(), "utf-8")
        self.notice = f"Saved as [b]{file}[/]: go on with [b]zashiki play --resume {file}[/]"

    def _rules(self) -> None:
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
        parts = self.match.game.rules.PARTS
        for seat in range(self.match.seats):
            table.add_column(self._name(seat), justify="right", style="bold" if seat == self.seat else "")
        scores = self.match.scores()
        if len(parts) > 1:
            for part in parts:
                table.add_row(part, *(str(scores[seat][part]) for seat in range(self.match.seats)))
            table.add_section()
        table.add_row("points", *(str(sum(scores[seat].values())) for seat in range(self.match.seats)))
        self.console.print(table)
        won = "You win" if outcome.winners == (self.seat,) else " and ".join(self._name(s) for s in outcome.winners) + " won"
        self.console.print(f"[b #E6B84E]{won}[/] ({outcome.reason}).")


def resumed(file: Path) -> Match:
    """The match in a saved-match file."""
    from zashiki.core.match import Match

    try:
        return Match.load(file.read_bytes())
    except OSError as error:
        raise ZashikiError(f"{file} cannot be read: {error.strerror}") from None
