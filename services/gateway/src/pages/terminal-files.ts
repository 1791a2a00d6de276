/** The terminal's built files, and the page for every path that is the terminal's own. */
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, contract } from '@orrery/api';
import { methodsAt } from '../http/methods.ts';
import { decodedPath } from '../http/path.ts';
import { answerError } from '../http/refuse.ts';
import { sendFile } from './send-file.ts';
import { compressed, type StoredFile } from './stored-file.ts';

export interface TerminalOptions {
  /** The folder of the built terminal; undefined: none is served. */
  readonly directory: string | undefined;
  /** Origins that pages may talk to besides ours, such as a relay of wallets. */
  readonly connectSources: readonly string[];
}

const INDEX = '/index.html';

export async function mountTerminal(server: FastifyInstance, options: TerminalOptions): Promise<void> {
  const files = options.directory === undefined ? new Map<string, StoredFile>() : await load(options.directory);
  const headers = pageHeaders(options.connectSources);
  const send = (request: FastifyRequest, reply: FastifyReply, file: StoredFile): FastifyReply => {
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    return sendFile(request, reply.headers(headers), file);
  };
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
    const file = isRead ? (files.get(path) ?? (isPage(path) ? files.get(INDEX) : undefined)) : undefined;
    if (file !== undefined) return send(request, reply, file);
    const methods = methodsAt(path);
    if (methods === undefined) return answerError(new ApiError('NotFound'), reply);
    return answerError(new ApiError('MethodNotAllowed'), reply.header('allow', methods.join(', ')));
  });
}

async function load(directory: string): Promise<Map<string, StoredFile>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => {
      const file = join(entry.parentPath, entry.name);
      const url = `/${file
        .slice(directory.length)
        .split(sep)
        .filter((step) => step !== '')
        .join('/')}`;
      return [url, await compressed({ name: entry.name, content: await readFile(file) })] as const;
    });
  return new Map(await Promise.all(files));
}

/** Browsers allow what our pages need, and refuse everything else. */
function pageHeaders(connectSources: readonly string[]): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    ["connect-src 'self'", ...connectSources].join(' '),
    "frame-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
    // One policy, of the terminal's own: it names the worker that holds the feed.
    "require-trusted-types-for 'script'",
    'trusted-types orrery-worker',
  ];
  return {
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  };
}

/** Paths of the API: what is not known there is not found, never a page. */
const API_PATH = /^\/(pro|spot|biz|futures|api|rpc|docs)(\/|$)|^\/faucet\/api(\/|$)/;

const isPage = (path: string): boolean => !API_PATH.test(path) && !/\.\w+$/.test(path);

const wantsPage = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true;
