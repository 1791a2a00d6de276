/** A plain market data server: it sends every update to every client at once, each with a separate send. */
import { createServer } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { WebSocketServer, type WebSocket } from 'ws';

/** A word of any client begins it: `count` updates of the shape of ours, to all. */
interface Start {
  readonly updates: number;
}

const server = createServer();
const sockets = new Set<WebSocket>();

function update(id: number): string {
  const price = String(100_000 + (id % 100));
  return JSON.stringify({ resType: 'qDepth', data: { id, s: 'BTC_USDC', m: 1 + (id % 2), p: price, q: '0.0001', t: Date.now() } });
}

async function reportAll({ updates }: Start): Promise<void> {
  for (let id = 1; id <= updates; id += 1) {
    const text = update(id);
    for (const socket of sockets) socket.send(text);
    await nextTurn();
  }
  for (const socket of sockets) socket.send('{"resType":"end"}');
}

new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
  socket.on('message', (data: Buffer) => void reportAll(JSON.parse(data.toString()) as Start));
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  console.log(JSON.stringify({ url: `http://127.0.0.1:${address.port}` }));
});
process.on('SIGTERM', () => process.exit(0));
