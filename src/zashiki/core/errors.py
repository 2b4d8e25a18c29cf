"""What can go wrong at the table, one type each. None of them changes a match."""


class ZashikiError(Exception):
    """Anything this package refuses to do."""


class UnknownGame(ZashikiError, LookupError):
    """No game has that name."""


class WrongSeats(ZashikiError, ValueError):
    """The game is not played by that many, or there is no such seat."""


class WrongOption(ZashikiError, ValueError):
    """The game has no such option, or the option no such value."""


class WrongSeed(ZashikiError, ValueError):
    """A seed is a whole number of at most 128 bits, or its 32 hexadecimal digits."""


class MalformedAction(ZashikiError, ValueError):
    """This is no action of the game at all."""


class MalformedView(ZashikiError, ValueError):
    """This is no view of the game, or one of other rules."""


class IllegalAction(ZashikiError, ValueError):
    """An action of the game that this seat may not carry out now."""


class NotYourTurn(IllegalAction):
    """The seat has nothing to decide now."""


class MatchOver(IllegalAction):
    """The match has ended."""


class NothingToTakeBack(ZashikiError, ValueError):
    """Fewer actions have been carried out than should be taken back."""


class SavedMatchError(ZashikiError, ValueError):
    """A saved match that cannot be read."""


class DamagedMatch(SavedMatchError):
    """The file is cut short or is no saved match."""


class TamperedMatch(SavedMatchError):
    """The file reads well, but its actions do not lead where it says they lead."""


class OtherRules(SavedMatchError):
    """The match was played by another version of the rules."""


class NoGpu(ZashikiError, RuntimeError):
    """There is no GPU here, or nothing to compile for it with."""


class MissingPackages(ZashikiError, ImportError):
    """The packages of an extra are not installed."""
