// An engine in plain JavaScript: it plays any of the games over its standard input and output.
//
//   zashiki arena kasane "exec:node examples/engine.mjs" random --matches 100
//   zashiki bot "exec:node examples/engine.mjs" --game kasane --against club
//
// It looks at what its seat has now and takes any action of the kind it has seen lead to most points; at first any at all.
import { createInterface } from "node:readline";

const worth = new Map(); // kind of action -> [times, points gained since]
let seat, points, kind;

const mean = ([times, sum]) => sum / times;
const any = (list) => list[Math.floor(Math.random() * list.length)];

function learn(scores) {
  const now = scores[seat].reduce((sum, part) => sum + part, 0);
  if (kind) {
    const [times, sum] = worth.get(kind) ?? [0, 0];
    worth.set(kind, [times + 1, sum + now - points]);
  }
  points = now;
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    [seat, points, kind] = [message.seat, 0, null];
  } else if (message.type === "your turn") {
    learn(message.scores);
    const kinds = [...new Set(message.actions.map((action) => action?.type))];
    const known = kinds.filter((each) => worth.has(each));
    kind = known.length < kinds.length || Math.random() < 0.1
      ? any(kinds)
      : known.reduce((best, each) => (mean(worth.get(each)) > mean(worth.get(best)) ? each : best));
    console.log(JSON.stringify({ action: any(message.legal.filter((_, place) => message.actions[place]?.type === kind)) }));
  } else if (message.type === "end") {
    console.error(`${message.winners.includes(seat) ? "won" : "lost"}: ${message.reason}`);
  }
}
