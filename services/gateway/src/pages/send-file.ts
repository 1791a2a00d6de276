/** Sends a stored file in the best encoding the caller reads, or answers that the caller's copy is current. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoredFile } from './stored-file.ts';

const YEAR_SECONDS = 31_536_000;

export function sendFile(request: FastifyRequest, reply: FastifyReply, file: StoredFile): FastifyReply {
  reply.headers({
    'cache-control': file.isImmutable ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
    'content-type': file.type,
    etag: file.etag,
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
  });
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  const { encoding, content } = encodingFor(request.headers['accept-encoding'], file);
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply.send(content);
}

function encodingFor(accepted: string | string[] | undefined, file: StoredFile): { encoding: string | undefined; content: Buffer } {
  const names = new Set(
    String(accepted ?? '')
      .split(',')
      .map((name) => name.split(';')[0]?.trim()),
  );
  if (file.brotli !== undefined && names.has('br')) return { encoding: 'br', content: file.brotli };
  if (file.gzip !== undefined && names.has('gzip')) return { encoding: 'gzip', content: file.gzip };
  return { encoding: undefined, content: file.content };
}
