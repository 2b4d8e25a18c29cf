// boardgame.io's own Node server with its in-memory store: `node server.js PORT`.

import { createRequire } from 'node:module';
import { Favours } from './game.js';

// The package's CommonJS build is the one that Node can load.
const { Server } = createRequire(import.meta.url)('boardgame.io/server');

const server = Server({ games: [Favours], origins: ['http://127.0.0.1'] });
// Only this machine may connect: the port is handed on to `listen`, which takes an address too.
await server.run({ port: { port: Number(process.argv[2] ?? 8100), host: '127.0.0.1' } });
