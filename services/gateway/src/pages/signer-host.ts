/**
 * The signing page of e-mail wallets, on a host of its own: shares of keys are kept in the storage of that origin, where no script of the
 * exchange's pages reaches. Nothing else is served there, and the calls of that page are made nowhere else.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ApiError, isSignerPath } from '@orrery/api';
import { atPort } from '@orrery/foundation';
import type { Hosts } from '../http/host.ts';
import { decodedPath, rawPath } from '../http/path.ts';
import { sendFile } from './send-file.ts';
import { compressed, type StoredFile } from './stored-file.ts';
import { loadFiles } from './terminal-files.ts';

export interface SignerHostOptions {
  /** Port 0 stands for the port that is taken; undefined: there are no e-mail wallets. */
  readonly origin: string | undefined;
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

export async function mountSigner(server: FastifyInstance, { origin, hosts, appOrigins, directory }: SignerHostOptions): Promise<void> {
  if (origin === undefined) return;
  const built = directory === undefined ? undefined : join(directory, FOLDER);
  const folder = built !== undefined && existsSync(built) ? built : undefined;
  const files = folder === undefined ? new Map<string, StoredFile>() : await loadFiles(folder);
  let index: Promise<StoredFile> | undefined;
  const embedders = (): readonly string[] => {
    const { port } = server.server.address() as AddressInfo;
    return (appOrigins.length === 0 ? LOOPBACK : appOrigins).map((each) => atPort(each, port));
  };
  const page = (): Promise<StoredFile> | undefined => {
    if (folder === undefined || !files.has('/index.html')) return undefined;
    const text = readFileSync(join(folder, 'index.html'), 'utf8').replace(PLACE, embedders().join(' '));
    index ??= compressed({ name: 'index.html', content: Buffer.from(text) });
    return index;
  };
  server.addHook('onRequest', async (request, reply) => {
    const path = decodedPath(request.url) ?? rawPath(request.url);
    if (!hosts.isAt(request.raw, origin)) {
      if (isSignerPath(path.toLowerCase()) || path.startsWith(`/${FOLDER}/`)) throw new ApiError('NotFound');
      return undefined;
    }
    if (isSignerPath(path)) return undefined;
    const file = request.method === 'GET' ? (path === '/' ? await page() : files.get(path)) : undefined;
    if (file === undefined) throw new ApiError('NotFound');
    return sendFile(request, reply.headers(headersOf(embedders())), file);
  });
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
