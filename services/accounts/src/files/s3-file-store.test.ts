import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { s3FileStore, s3SiteOf } from './s3-file-store.ts';
import { s3Headers } from './s3-signature.ts';

const AT = Date.UTC(2026, 10, 25, 12);
const ID = 'ab'.repeat(16);

describe('the signature', () => {
  test('it is the one of the example that Amazon publishes', () => {
    const keys = { accessKey: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', region: 'us-east-1' };
    const url = new URL('https://examplebucket.s3.amazonaws.com/?lifecycle=');
    const at = new Date(Date.UTC(2013, 4, 24));
    const { authorization } = s3Headers(keys, { method: 'GET', url, body: new Uint8Array(), at });
    expect(authorization).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
        'SignedHeaders=host;x-amz-content-sha256;x-amz-date,' +
        'Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    );
  });
});

describe('the address of the store', () => {
  test('it has the keys, the bucket and the region', () => {
    expect(s3SiteOf('https://key:se%2Fcret@store.example:9000/bucket/?region=eu-1')).toEqual({
      accessKey: 'key',
      secret: 'se/cret',
      region: 'eu-1',
      bucket: new URL('https://store.example:9000/bucket/'),
    });
    expect(s3SiteOf('https://key:secret@store.example/bucket').region).toBe('us-east-1');
  });

  test.each([
    ['store', 'a URL of http or https'],
    ['ftp://key:hidden@store.example/bucket', 'a URL of http or https'],
    ['https://store.example/bucket', 'its access key or its secret is missing'],
    ['https://key:hidden@store.example/', 'its bucket is missing'],
  ])('%s is refused: %s', (text, reason) => {
    expect(() => s3SiteOf(text)).toThrow(reason);
    expect(() => s3SiteOf(text)).not.toThrow('hidden');
  });
});

describe('a bucket', () => {
  const objects = new Map<string, Buffer>();
  let server: Server;
  let site: ReturnType<typeof s3SiteOf>;
  let failing = false;
  /** Two a page. */
  const listing = (query: URLSearchParams): Buffer => {
    const names = [...objects.keys()].toSorted().filter((name) => name > (query.get('start-after') ?? ''));
    const entry = (name: string): string =>
      `<Contents><Key>${name}</Key><LastModified>${new Date(AT).toISOString()}</LastModified><Size>1</Size></Contents>`;
    const entries = names.slice(0, 2).map(entry).join('');
    return Buffer.from(`<ListBucketResult><IsTruncated>${names.length > 2}</IsTruncated>${entries}</ListBucketResult>`);
  };
  beforeEach(async () => {
    objects.clear();
    failing = false;
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks);
        const { method = '', url = '', headers } = request;
        const asked = { method: method as 'GET', url: new URL(url, `http://${headers.host}`), body, at: new Date(AT) };
        const expected = s3Headers({ accessKey: 'key', secret: 'secret', region: 'us-east-1' }, asked);
        const path = url.startsWith('/bucket?') ? url.slice('/bucket'.length) : url.slice('/bucket/'.length);
        const found = path.startsWith('?') ? listing(new URL(path, 'http://x').searchParams) : objects.get(path);
        if (failing) response.writeHead(500).end();
        else if (headers.authorization !== expected['authorization']) response.writeHead(403).end();
        else if (method === 'PUT') response.writeHead(objects.set(path, body) ? 200 : 500).end();
        else if (method === 'DELETE') response.writeHead(objects.delete(path) ? 204 : 404).end();
        else response.writeHead(found === undefined ? 404 : 200).end(found);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    site = s3SiteOf(`http://key:secret@127.0.0.1:${(server.address() as AddressInfo).port}/bucket`);
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  test('a file is put, read back and removed, also when it is gone already', async () => {
    const store = s3FileStore(site, () => AT);
    const bytes = Buffer.from([0, 1, 2, 255]);
    expect(await store.get(ID)).toBeUndefined();
    await store.put(ID, bytes);
    expect([...objects.keys()]).toEqual([ID]);
    expect(await store.get(ID)).toEqual(bytes);
    await store.remove(ID);
    await store.remove(ID);
    expect(await store.get(ID)).toBeUndefined();
  });

  test('its files are listed page by page, and none that is not ours', async () => {
    const store = s3FileStore(site, () => AT);
    const ids = ['0', '1', '2', '3', '4'].map((digit) => digit.repeat(32));
    expect(await store.list()).toEqual([]);
    for (const id of ids) await store.put(id, Buffer.from('x'));
    objects.set('notes.txt', Buffer.from('x'));
    expect(await store.list()).toEqual(ids.map((fileId) => ({ fileId, writtenAt: AT })));
    failing = true;
    await expect(store.list()).rejects.toThrow('answered 500 to GET the list of files');
  });

  test('a wrong secret and a failing store are failures, and no file', async () => {
    const stranger = s3FileStore({ ...site, secret: 'other' }, () => AT);
    await expect(stranger.put(ID, Buffer.from('x'))).rejects.toThrow(`the store of files answered 403 to PUT ${ID}`);
    await expect(stranger.get(ID)).rejects.toThrow('answered 403');
    failing = true;
    await expect(s3FileStore(site, () => AT).get(ID)).rejects.toThrow('answered 500');
    expect(objects.size).toBe(0);
  });
});
