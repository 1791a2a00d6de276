/** Files in a bucket of an object store of the S3 kind. They are encrypted before they leave the machine. */
import type { FileStore } from './file-store.ts';
import { type S3Keys, s3Headers } from './s3-signature.ts';

/** Milliseconds; of one request. */
const TIMEOUT_MS = 10_000;
const REGION_DEFAULT = 'us-east-1';

export interface S3Site extends S3Keys {
  /** Of the bucket, with a slash at its end. */
  readonly bucket: URL;
}

/** @param text `https://<access key>:<secret>@<host>/<bucket>?region=<region>` @throws Error that says what is missing, and never shows the secret */
export function s3SiteOf(text: string): S3Site {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const path = url?.pathname.replace(/\/$/, '') ?? '';
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) throw new Error('it must be a URL of http or https');
  if (url.username === '' || url.password === '')
    throw new Error('its access key or its secret is missing: https://<access key>:<secret>@<host>/<bucket>');
  if (path === '') throw new Error('its bucket is missing: https://<access key>:<secret>@<host>/<bucket>');
  return {
    accessKey: decodeURIComponent(url.username),
    secret: decodeURIComponent(url.password),
    region: url.searchParams.get('region') ?? REGION_DEFAULT,
    bucket: new URL(`${url.protocol}//${url.host}${path}/`),
  };
}

export function s3FileStore(site: S3Site, now: () => number = Date.now): FileStore {
  /** @returns undefined where the store answers that there is no such file */
  async function send(method: 'GET' | 'PUT' | 'DELETE', fileId: string, body: Uint8Array<ArrayBuffer>): Promise<Buffer | undefined> {
    const url = new URL(fileId, site.bucket);
    const headers = s3Headers(site, { method, url, body, at: new Date(now()) });
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { method, headers, signal, redirect: 'error', ...(method === 'PUT' ? { body } : {}) });
    const answer = Buffer.from(await response.arrayBuffer());
    if (response.ok) return answer;
    if (response.status === 404 && method !== 'PUT') return undefined;
    throw new Error(`the store of files answered ${response.status} to ${method} ${fileId}`);
  }
  const nothing = new Uint8Array();
  return {
    put: async (fileId, bytes) => void (await send('PUT', fileId, new Uint8Array(bytes))),
    get: (fileId) => send('GET', fileId, nothing),
    remove: async (fileId) => void (await send('DELETE', fileId, nothing)),
  };
}
