/** What the machine can do at all: bare servers that read JSON and send it back, over HTTP by Fastify and over WebSocket by ws. */
import Fastify from 'fastify';
import { WebSocketServer } from 'ws';

const server = Fastify({ logger: false });
server.post('/echo', (request) => request.body);
await server.listen({ host: '127.0.0.1', port: 0 });
const address = server.server.address();
if (address === null || typeof address === 'string') throw new Error('no port');

new WebSocketServer({ server: server.server, path: '/echo', perMessageDeflate: false }).on('connection', (socket) => {
  socket.on('message', (data: Buffer) => socket.send(JSON.stringify(JSON.parse(data.toString()))));
});

process.on('SIGTERM', () => process.exit(0));
console.log(JSON.stringify({ url: `http://127.0.0.1:${address.port}` }));
