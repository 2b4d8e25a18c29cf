"""Learning by self-play: matches, observations, choices and learning on one device, a GPU or, for small games, the processor.

What is learned is a network that reads an observation and tells how likely each action is and what each seat's share of the
victory will be. The rules are those of every other gear.
"""
