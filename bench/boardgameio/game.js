// A small card game for two, of about hanamikoji's size: seven kinds of items, hidden hands of seven cards.
// A match has 16 to 30 moves and 23 on average, as many as one of hanamikoji played at random. Whoever has laid more of a kind at the end
// has its favour; a kind is worth as much as it has cards.

const VALUES = [3, 3, 4, 4, 5, 5, 6];
const HAND = 7;

function setup({ random }) {
  const deck = random.Shuffle(VALUES.flatMap((cards, kind) => Array(cards).fill(kind)));
  deck.splice(0, random.Die(15) - 1);
  return {
    hands: [deck.splice(0, HAND), deck.splice(0, HAND)],
    sides: [VALUES.map(() => 0), VALUES.map(() => 0)],
    markers: VALUES.map(() => 2),
    deck,
  };
}

// A move names a place in the own hand; a card from the deck takes that place while there are any.
function play({ G, playerID }, place) {
  const hand = G.hands[playerID];
  if (!Number.isInteger(place) || place < 0 || place >= hand.length) return 'INVALID_MOVE';
  const kind = hand[place];
  if (G.deck.length > 0) hand[place] = G.deck.pop();
  else hand.splice(place, 1);
  G.sides[playerID][kind] += 1;
  const [one, other] = [G.sides[0][kind], G.sides[1][kind]];
  if (one !== other) G.markers[kind] = one > other ? 0 : 1;
}

function endIf({ G }) {
  if (G.hands.some((hand) => hand.length > 0)) return undefined;
  const points = [0, 1].map((seat) => VALUES.reduce((sum, value, kind) => sum + (G.markers[kind] === seat ? value : 0), 0));
  return { points };
}

// What a player may know: the own hand, how many cards are elsewhere, and everything that lies open.
function playerView({ G, playerID }) {
  return {
    hand: playerID === null ? [] : G.hands[playerID],
    handSizes: G.hands.map((hand) => hand.length),
    sides: G.sides,
    markers: G.markers,
    deckSize: G.deck.length,
  };
}

export const Favours = {
  name: 'favours',
  minPlayers: 2,
  maxPlayers: 2,
  setup,
  // A hidden card is in the arguments of no move, and a place in the hand says nothing: the log needs no redaction.
  moves: { play: { move: play, client: false } },
  turn: { minMoves: 1, maxMoves: 1 },
  endIf,
  playerView,
};
