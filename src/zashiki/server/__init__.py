"""The table on the network: HTTP, sockets, accounts, clocks and the store of every match."""
