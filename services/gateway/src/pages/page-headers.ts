/** Headers of every page: browsers allow what our pages need, and refuse everything else. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendFile } from './send-file.ts';
import type { StoredFile } from './stored-file.ts';

/** Sends a file as every page of ours is sent. */
export type SendPage = (request: FastifyRequest, reply: FastifyReply, file: StoredFile) => FastifyReply;

export interface PageSources {
  /** Origins that pages may talk to besides ours, such as the hosts of the terminal's build. */
  readonly connectSources: readonly string[];
  /** Origins whose captcha pages show: its script runs in them. Absent: ours shows itself. */
  readonly captchaSources?: readonly string[];
  /** The origins of the signing page, which pages embed; empty: there is none. Called once the server listens. */
  readonly frames: () => readonly string[];
}

export function pageSender(sources: PageSources): SendPage {
  let headers: Record<string, string> | undefined;
  return (request, reply, file) => {
    if (file.isSubresource) return sendFile(request, reply.headers(SUBRESOURCE_HEADERS), file);
    headers ??= pageHeaders(sources);
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    return sendFile(request, reply.headers(headers), file);
  };
}

/** Browsers take policies from documents and workers: with each subresource they would only weigh. No other site loads one. */
const SUBRESOURCE_HEADERS: Readonly<Record<string, string>> = { 'cross-origin-resource-policy': 'same-origin' };

function pageHeaders({ connectSources, captchaSources: captcha = [], frames }: PageSources): Record<string, string> {
  const framed = frames();
  const policy = [
    "default-src 'none'",
    ["script-src 'self'", ...captcha].join(' '),
    ["style-src 'self'", ...captcha].join(' '),
    ["img-src 'self' data: blob:", ...captcha].join(' '),
    "font-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    ["connect-src 'self'", ...connectSources, ...captcha].join(' '),
    `frame-src ${framed.length === 0 ? "'none'" : framed.join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
    // The terminal's own names the worker that holds the feed. A script that knows of no policies needs the one called default.
    "require-trusted-types-for 'script'",
    `trusted-types orrery-worker${captcha.length === 0 ? '' : ' default'}`,
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
