/** A file kept in memory as it is sent: whole, and compressed where that makes it smaller. */
import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export interface StoredFile {
  readonly content: Buffer;
  readonly brotli: Buffer | undefined;
  readonly gzip: Buffer | undefined;
  readonly type: string;
  readonly etag: string;
  /** Its name holds a hash of its content: it never changes. */
  readonly isImmutable: boolean;
  /** A script, style or font that a page loads: never a document or a worker, which have policies of their own. */
  readonly isSubresource: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.map': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};
const COMPRESSED: ReadonlySet<string> = new Set(['.html', '.js', '.mjs', '.css', '.json', '.webmanifest', '.map', '.txt', '.svg', '.wasm']);
const SMALLEST_COMPRESSED = 1_024;
/** Beyond this a little smaller costs seconds, which only a build has. */
const BROTLI_QUALITY = 5;
/** Vite writes `name-hash.ext` into its folder of assets: elsewhere such a name has no hash. */
const HASHED_NAME = /\/assets\/[^/]*-[\w-]{7,}\.\w+$/;
/** What a browser may open as a document, such as a drawing, and what it may run as a worker is none. */
const SUBRESOURCE_NAME = /\/assets\/(?![^/]*worker)[^/]*\.(js|css|woff2)$/i;

const brotliOf = promisify(brotliCompress);
const gzipOf = promisify(gzip);

/** A file as it was compressed when it was built; undefined where it was not, or where that does not make it smaller. */
export interface Packed {
  readonly brotli: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

export interface PlainFile {
  readonly name: string;
  readonly content: Buffer;
}

/** Compressed here: what is made at run time, and what a build has not compressed. */
export async function compressed({ name, content }: PlainFile): Promise<StoredFile> {
  const isWorthIt = COMPRESSED.has(extname(name)) && content.length >= SMALLEST_COMPRESSED;
  const smaller = (packed: Buffer): Buffer | undefined => (packed.length < content.length ? packed : undefined);
  const brotli = isWorthIt ? smaller(await brotliOf(content, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })) : undefined;
  return stored({ name, content }, { brotli, gzip: isWorthIt ? smaller(await gzipOf(content)) : undefined });
}

export function stored({ name, content }: PlainFile, { brotli, gzip: zipped }: Packed): StoredFile {
  return {
    content,
    brotli,
    gzip: zipped,
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 24)}"`,
    isImmutable: HASHED_NAME.test(name),
    isSubresource: HASHED_NAME.test(name) && SUBRESOURCE_NAME.test(name),
  };
}
