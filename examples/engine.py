"""An engine that needs nothing of Zashiki: lines of JSON come in, lines of JSON go out.

zashiki arena hanamikoji "exec:python examples/engine.py" random --matches 100
"""

import json
import random
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        chance = random.Random(message["seed"])
    elif message["type"] == "your turn":
        print(json.dumps({"action": chance.choice(message["actions"])}), flush=True)
    elif message["type"] == "end":
        print(f"seats {message['winners']} have won: {message['reason']}", file=sys.stderr)
