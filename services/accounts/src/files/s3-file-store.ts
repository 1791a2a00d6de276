/** Files in a bucket of an object store of the S3 kind. They are encrypted before they leave the machine. */
import { FILE_NAME, type FileStore, type KeptFile } from './file-store.ts';
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

interface Wanted {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly body: Uint8Array<ArrayBuffer>;
  /** For the error. */
  readonly what: string;
}

export function s3FileStore(site: S3Site, now: () => number = Date.now): FileStore {
  /** @returns undefined where the store answers that there is no such file */
  const send = (method: 'GET' | 'PUT' | 'DELETE', fileId: string, body: Uint8Array<ArrayBuffer>): Promise<Buffer | undefined> =>
    request({ method, url: new URL(fileId, site.bucket), body, what: fileId });

  async function request({ method, url, body, what }: Wanted): Promise<Buffer | undefined> {
    const headers = s3Headers(site, { method, url, body, at: new Date(now()) });
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { method, headers, signal, redirect: 'error', ...(method === 'PUT' ? { body } : {}) });
    const answer = Buffer.from(await response.arrayBuffer());
    if (response.ok) return answer;
    if (response.status === 404 && method !== 'PUT') return undefined;
    throw new Error(`the store of files answered ${response.status} to ${method} ${what}`);
  }
  const nothing = new Uint8Array();

  /** Of one page of at most 1,000, in the order of their names. */
  async function pageAfter(name: string): Promise<string> {
    const [, bucket, ...folders] = site.bucket.pathname.split('/');
    const url = new URL(`/${bucket}`, site.bucket);
    const query = { 'list-type': '2', prefix: folders.join('/'), 'start-after': name };
    url.search = Object.entries(query)
      .filter(([, value]) => value !== '')
      .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
      .join('&');
    const page = await request({ method: 'GET', url, body: nothing, what: 'the list of files' });
    if (page === undefined) throw new Error('the store of files has no such bucket');
    return page.toString('utf8');
  }

  return {
    put: async (fileId, bytes) => void (await send('PUT', fileId, new Uint8Array(bytes))),
    get: (fileId) => send('GET', fileId, nothing),
    remove: async (fileId) => void (await send('DELETE', fileId, nothing)),
    async list() {
      const kept: KeptFile[] = [];
      let last = '';
      for (;;) {
        const page = await pageAfter(last);
        for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          const writtenAt = Date.parse(textOf(entry, 'LastModified'));
          last = textOf(entry, 'Key');
          const fileId = last.slice(last.lastIndexOf('/') + 1);
          if (FILE_NAME.test(fileId)) kept.push({ fileId, writtenAt });
        }
        if (textOf(page, 'IsTruncated') !== 'true') return kept;
      }
    },
  };
}

/** @throws Error where the answer of the store has no such element. */
function textOf(xml: string, element: string): string {
  const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1];
  if (text === undefined) throw new Error(`the list of the store of files has no ${element}`);
  return text;
}
