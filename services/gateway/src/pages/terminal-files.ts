/**
 * The terminal's built files, and the page for every path that is the terminal's own. Anything else is not found: for a program that is JSON, so that none
 * takes a page for an answer; a person's browser gets the page, which says that there is nothing here.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, contract } from '@orrery/api';
import { atCost } from '../http/at-cost.ts';
import { methodsAt } from '../http/methods.ts';
import { decodedPath } from '../http/path.ts';
import { answerError } from '../http/refuse.ts';
import type { Charges } from '../limits/charges.ts';
import { loadFiles } from './load-files.ts';
import type { SendPage } from './page-headers.ts';
import type { StoredFile } from './stored-file.ts';
import { readPaths, type IsPage } from './terminal-paths.ts';

export interface TerminalOptions {
  /** The folder of the built terminal; undefined: none is served. */
  readonly directory: string | undefined;
  readonly send: SendPage;
  readonly charges: Charges;
}

const INDEX = '/index.html';

export async function mountTerminal(server: FastifyInstance, { directory, send, charges }: TerminalOptions): Promise<void> {
  const files = directory === undefined ? new Map<string, StoredFile>() : await loadFiles(directory);
  const isPage: IsPage = directory === undefined ? () => false : await readPaths(directory);
  const index = files.get(INDEX);
  // A browser that opens the address of the status gets the page about it; programs get the status itself.
  server.addHook('onRoute', (route) => {
    if (index === undefined || route.url !== contract.status.path) return;
    route.onRequest = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      if (wantsPage(request)) send(request, reply, index);
      else done();
    };
  });
  server.setNotFoundHandler((request, reply) => {
    const asked = decodedPath(request.url) ?? '';
    const path = asked === '/' ? INDEX : asked;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const file = isRead ? (files.get(path) ?? (isPage(path) ? index : undefined)) : undefined;
    if (file !== undefined) return send(request, reply, file);
    // Of calls that are not mounted here, such as those of testers, there are no methods either.
    const methods = (methodsAt(path) ?? []).filter((method) => server.hasRoute({ url: path, method }));
    if (methods.length > 0) reply.header('allow', methods.join(', '));
    const refused = new ApiError(methods.length === 0 ? 'NotFound' : 'MethodNotAllowed');
    const answer = atCost(refused, request, charges);
    if (answer !== refused || index === undefined || !isRead || !isNowhere(path) || !wantsPage(request)) return answerError(answer, reply);
    // Whole: what is not there is never unchanged.
    delete request.headers['if-none-match'];
    return send(request, reply.code(404), index);
  });
}

/** Paths of programs: what is not known there is never a page, whatever is accepted. */
const PROGRAM_PATH = /^\/(pro|spot|biz|futures|sandbox|api|rpc|docs|livez|readyz|healthz|metrics)(\/|$)|^\/([a-z]+\/)?[a-z]*api(\/|$)/i;

/** Where a person may have meant a page. */
const isNowhere = (path: string): boolean => !PROGRAM_PATH.test(path) && !/\.\w+$/.test(path);

/** A page is named, and JSON is not preferred to it. */
function wantsPage({ headers: { accept = '' } }: FastifyRequest): boolean {
  const [page, json] = ['text/html', 'application/json'].map((type) => weightOf(accept, type));
  return page !== undefined && page > 0 && page >= (json ?? 0);
}

function weightOf(accept: string, type: string): number | undefined {
  const parts = accept.split(',').map((part) => part.split(';').map((each) => each.trim().toLowerCase()));
  const named = parts.find(([name]) => name === type);
  if (named === undefined) return undefined;
  const weight = Number(named.find((each) => each.startsWith('q='))?.slice(2) ?? 1);
  return Number.isFinite(weight) ? weight : 0;
}
