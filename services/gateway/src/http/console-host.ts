/**
 * Where the operators' console is: a host of its own, or the one of everybody. With one of its own, the page and the calls of operators are there
 * and nowhere else, and only that page makes them.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, isOperatorPath } from '@orrery/api';

const PAGE = '/console';

/** @param origin of the console; undefined when it has no host of its own. */
export function keepConsoleApart(server: FastifyInstance, origin: string | undefined): void {
  if (origin === undefined) return;
  const own = new URL(origin);
  const isOwn = ({ host }: FastifyRequest): boolean => URL.parse(`${own.protocol}//${host}`)?.host === own.host;
  server.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request);
    if (isConsole(path) && !isOwn(request)) throw new ApiError('NotFound');
    if (path === '/' && isOwn(request)) return reply.redirect(PAGE);
    return undefined;
  });
}

/** In any case: paths of our pages are case-insensitive. */
const isConsole = (path: string): boolean => isOperatorPath(path) || path === PAGE || path.startsWith(`${PAGE}/`);

function pathOf({ url }: FastifyRequest): string {
  const path = url.split('?', 1)[0] ?? '/';
  try {
    return decodeURIComponent(path)
      .toLowerCase()
      .replace(/\/{2,}/g, '/');
  } catch {
    return path;
  }
}
