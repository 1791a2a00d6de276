/**
 * The signing page of e-mail wallets, on an origin of its own: shares of keys are kept in the storage of that origin, where no script of the
 * exchange's pages reaches. Nothing else is served there, and the calls of that page are made nowhere else.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ApiError, isSignerPath } from '@orrery/api';
import { atPort } from '@orrery/foundation';
import type { Hosts } from '../http/host.ts';
import { decodedPath, rawPath } from '../http/path.ts';
import { loadFiles } from './load-files.ts';
import { sendFile } from './send-file.ts';
import { compressed, type StoredFile } from './stored-file.ts';
import type { SignerListener } from './signer-listener.ts';

/** A host of its own, port 0 for the port that is taken; or, on this machine, a port of its own, 0 for any. */
export type SigningPlace = { readonly origin: string } | { readonly port: number };

export interface SignerHostOptions {
  /** Undefined: there are no e-mail wallets. */
  readonly origin: string | undefined;
  /** Where the page has a port in place of a host. */
  readonly listener: SignerListener | undefined;
  readonly hosts: Hosts;
  /** Origins of our pages, which alone may embed the signing page; empty: those of loopback. */
  readonly appOrigins: readonly string[];
  /** Where the built terminal is; undefined: no page is served. */
  readonly directory: string | undefined;
}

const FOLDER = 'signer';
/** In the page, for the list of origins that it answers. */
const PLACE = '%APP_ORIGINS%';
const LOOPBACK = ['http://127.0.0.1:0', 'http://localhost:0'];

export async function mountSigner(server: FastifyInstance, options: SignerHostOptions): Promise<void> {
  const { origin, listener, hosts, appOrigins, directory } = options;
  if (origin === undefined && listener === undefined) return;
  const isHere = (raw: IncomingMessage): boolean => (origin === undefined ? listener?.isAt(raw) === true : hosts.isAt(raw, origin));
  const built = directory === undefined ? undefined : join(directory, FOLDER);
  const folder = built !== undefined && existsSync(built) ? built : undefined;
  const files = folder === undefined ? new Map<string, StoredFile>() : await loadFiles(folder);
  let index: Promise<StoredFile> | undefined;
  const embedders = (): readonly string[] => {
    const { port } = server.server.address() as AddressInfo;
    return embeddersOf(appOrigins).map((each) => atPort(each, port));
  };
  const page = (): Promise<StoredFile> | undefined => {
    if (folder === undefined || !files.has('/index.html')) return undefined;
    const text = readFileSync(join(folder, 'index.html'), 'utf8').replace(PLACE, embedders().join(' '));
    index ??= compressed({ name: 'index.html', content: Buffer.from(text) });
    return index;
  };
  server.addHook('onRequest', async (request, reply) => {
    const path = decodedPath(request.url) ?? rawPath(request.url);
    if (!isHere(request.raw)) {
      if (isSignerPath(path.toLowerCase()) || path.startsWith(`/${FOLDER}/`)) throw new ApiError('NotFound');
      return undefined;
    }
    if (isSignerPath(path)) return undefined;
    const file = request.method === 'GET' ? (path === '/' ? await page() : files.get(path)) : undefined;
    if (file === undefined) throw new ApiError('NotFound');
    return sendFile(request, reply.headers(headersOf(embedders())), file);
  });
}

const embeddersOf = (appOrigins: readonly string[]): readonly string[] => (appOrigins.length === 0 ? LOOPBACK : appOrigins);

/** The origins of the signing page that our pages may embed: a page on this machine asks for it by its own host. */
export function framesOf(
  { origin, listener, appOrigins }: Omit<SignerHostOptions, 'hosts' | 'directory'>,
  port: number,
): readonly string[] {
  if (origin !== undefined) return [atPort(origin, port)];
  const at = listener?.port;
  if (at === undefined) return [];
  return [...new Set(embeddersOf(appOrigins).map((each) => `http://${new URL(each).hostname}:${at}`))];
}

function headersOf(embedders: readonly string[]): Record<string, string> {
  const policy = [
    "default-src 'none'",
    // The hash of the passphrase is WebAssembly.
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "connect-src 'self'",
    `frame-ancestors ${embedders.join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    'referrer-policy': 'no-referrer',
  };
}
