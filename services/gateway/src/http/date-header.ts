/** The `Date` of every answer: the time of the exchange, by which holds, funding and campaigns go, not that of a wall clock that has jumped. */
import type { FastifyInstance } from 'fastify';

const SECOND_MS = 1_000;

/** @param now unix milliseconds */
export function addDate(server: FastifyInstance, now: () => number): void {
  let second = Number.NaN;
  let text = '';
  server.addHook('onRequest', (_request, reply, done) => {
    const current = Math.floor(now() / SECOND_MS);
    if (current !== second) {
      second = current;
      text = new Date(current * SECOND_MS).toUTCString();
    }
    void reply.header('date', text);
    done();
  });
}
