"""What every game shares: the contract, the record layout, the gears, random numbers, `Match` and the saved match."""
