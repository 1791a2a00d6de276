/**
 * Where the operators' console is: a host of its own, or the one of everybody. With one of its own, the page and the calls of operators are there
 * and nowhere else, and only that page makes them.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, isOperatorPath } from '@orrery/api';
import type { Hosts } from './host.ts';
import { decodedPath, rawPath } from './path.ts';

const PAGE = '/console';

/** @param origin of the console; undefined when it has no host of its own. */
export function keepConsoleApart(server: FastifyInstance, { origin, hosts }: { origin: string | undefined; hosts: Hosts }): void {
  if (origin === undefined) return;
  const isOwn = ({ raw }: FastifyRequest): boolean => hosts.isAt(raw, origin);
  server.addHook('onRequest', async (request, reply) => {
    const path = plainPath(request.url);
    if (isConsole(path) && !isOwn(request)) throw new ApiError('NotFound');
    if (path === '/' && isOwn(request)) return reply.redirect(PAGE);
    return undefined;
  });
}

/** Paths of our pages are case-insensitive. */
const plainPath = (url: string): string => (decodedPath(url) ?? rawPath(url)).toLowerCase().replace(/\/{2,}/g, '/');

const isConsole = (path: string): boolean => isOperatorPath(path) || path === PAGE || path.startsWith(`${PAGE}/`);
