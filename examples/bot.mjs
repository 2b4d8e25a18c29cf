// A bot in plain JavaScript that speaks the raw protocol of docs/protocol.md. It needs nothing but Node:
//
//   node --experimental-websocket examples/bot.mjs http://127.0.0.1:8000 kasane      (from Node 22 on without the flag)
//
// It opens a table against bots of the house, or sits down at the table whose id it is given, and plays a whole match.
// With $ZASHIKI_TOKEN it plays as that program, without as a guest.
const [server = "http://127.0.0.1:8000", wanted = "kasane"] = process.argv.slice(2);
const who = process.env.ZASHIKI_TOKEN ? { authorization: `Bearer ${process.env.ZASHIKI_TOKEN}` } : await guest();

async function guest() {
  const answer = await fetch(`${server}/api/me`);
  return { cookie: answer.headers.get("set-cookie").split(";")[0], origin: server };
}

async function open(game) {
  const { seats } = await (await fetch(`${server}/api/games/${game}`)).json();
  const bots = Object.fromEntries(Array.from({ length: seats[0] - 1 }, (_, place) => [place + 1, "beginner"]));
  const body = JSON.stringify({ game, bots, start: true });
  const headers = { ...who, "content-type": "application/json" };
  const answer = await fetch(`${server}/api/tables`, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()).table;
}

const table = /^[\w-]{16}$/.test(wanted) ? wanted : await open(wanted);
const client = Math.random().toString(36).slice(2);
const unanswered = new Map(); // request number -> message, to be sent again on a new connection
let [number, decided, seated, socket] = [0, -1, false, null];

function send(message) {
  const request = ++number;
  unanswered.set(request, { ...message, request, table });
  socket.send(JSON.stringify(unanswered.get(request)));
}

function connect() {
  socket = new WebSocket(`${server.replace("http", "ws")}/socket?client=${client}&format=json`, { headers: who });
  socket.onopen = () => {
    for (const message of unanswered.values()) socket.send(JSON.stringify(message));
    send({ type: "watch" });
  };
  socket.onmessage = ({ data }) => hear(JSON.parse(data));
  socket.onclose = () => setTimeout(connect, 500);
}

function hear(message) {
  unanswered.delete(message.request);
  if (message.type === "refused" && message.code !== "stale") {
    console.error(`refused: ${message.reason}`);
    process.exit(1);
  }
  if (message.type !== "state") return;
  if (message.seat == null && !seated) {
    seated = true;
    send({ type: "sit" });
  } else if (message.status === "over") {
    console.log(`${message.outcome.winners.includes(message.seat) ? "won" : "lost"}: ${message.outcome.reason}`);
    process.exit(0);
  } else if (message.legal?.length && message.decision > decided) {
    decided = message.decision; // the same decision may be shown again
    const action = message.legal[Math.floor(Math.random() * message.legal.length)];
    send({ type: "act", action, version: message.version });
  }
}

connect();
