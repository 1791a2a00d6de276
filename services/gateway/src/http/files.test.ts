import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FILE_BYTES_MAX, fileRoutes, SentFile, type Mounted } from '@orrery/api';
import { eventually, neighbours, openVenue, type Venue } from '../testing/venue.ts';

const UPLOAD = fileRoutes.uploadFile.path;
const DOWNLOAD = `${fileRoutes.downloadFile.path}?fileId=${'a'.repeat(32)}&expires=1&signature=${'s'.repeat(43)}`;
const ATTACK = Buffer.from('<script>alert(1)</script>');

let venue: Venue;
const taken: SentFile[] = [];
beforeAll(async () => {
  const answers: Readonly<Record<string, Mounted['answer']>> = {
    uploadFile({ body }) {
      if (!(body instanceof SentFile)) throw new Error('no file');
      taken.push(body);
      return { fileId: 'a'.repeat(32), type: body.type, bytes: body.bytes.length, createdTime: 1 };
    },
    downloadFile: () => new SentFile('image/png', new Uint8Array(ATTACK), 'name.png'),
  };
  venue = await openVenue({ mounts: neighbours().map((each) => ({ ...each, answer: answers[each.name] ?? each.answer })) });
});
afterAll(() => venue.close());

async function upload(body: Buffer | undefined, headers: Record<string, string>, path: string = UPLOAD) {
  const bytes = body === undefined ? {} : { body: new Uint8Array(body) };
  const response = await fetch(`${venue.base}${path}`, { method: 'POST', headers, ...bytes });
  const { code, data } = (await response.json()) as { code: number; data: { reason?: string; field?: string } };
  return { status: response.status, code, reason: data.reason, field: data.field };
}
const asAlice = (type: string) => ({ authorization: `Bearer ${venue.alice.token}`, 'content-type': type });

describe('uploads', () => {
  test('a file of 5 MiB arrives as it was sent, one byte more is refused', async () => {
    const body = Buffer.alloc(FILE_BYTES_MAX, 7);
    expect(await upload(body, asAlice('image/png'))).toMatchObject({ status: 200, code: 0 });
    const [file] = taken.splice(0);
    expect([file?.type, file?.bytes.length, file?.bytes.every((byte) => byte === 7)]).toEqual(['image/png', FILE_BYTES_MAX, true]);
    expect(await upload(Buffer.alloc(FILE_BYTES_MAX + 1), asAlice('image/png'))).toMatchObject({ status: 413, reason: 'BodyTooLarge' });
    expect(taken).toEqual([]);
  });

  test('a stranger is refused before the file is read', async () => {
    const stranger = { 'content-type': 'image/png', authorization: 'Bearer forged' };
    // Too large a file would be refused as such, if it were read.
    expect(await upload(Buffer.alloc(FILE_BYTES_MAX + 1), stranger)).toMatchObject({ status: 401, reason: 'NotSignedIn' });
    expect(await upload(Buffer.alloc(9), { 'content-type': 'image/png' })).toMatchObject({ status: 401, reason: 'NotSignedIn' });
  });

  test('another page sends none, and no address carries a name', async () => {
    const foreign = { ...asAlice('image/png'), origin: 'https://elsewhere.example' };
    expect(await upload(Buffer.alloc(9), foreign)).toMatchObject({ status: 403, reason: 'ForeignOrigin' });
    expect(await upload(Buffer.alloc(9), asAlice('image/png'), `${UPLOAD}?name=..%2f..%2fx`)).toMatchObject({
      status: 400,
      reason: 'UnknownField',
      field: 'name',
    });
  });

  test.each(['text/html', 'image/svg+xml', 'multipart/form-data; boundary=x', 'application/json', 'application/octet-stream'])(
    'a body of type %s is no file',
    async (type) => {
      const body = Buffer.from(type === 'application/json' ? '{}' : 'x');
      expect(await upload(body, asAlice(type))).toMatchObject({ status: 415, reason: 'UnsupportedMediaType' });
      expect(taken).toEqual([]);
    },
  );

  test('without a body the field is named', async () => {
    const { authorization } = asAlice('');
    expect(await upload(undefined, { authorization })).toMatchObject({ status: 400, reason: 'MissingField', field: 'file' });
  });

  test('no other call takes a file, nor more than it took before', async () => {
    const other = '/pro/u/withdraw/address/add';
    expect(await upload(Buffer.alloc(9), asAlice('image/png'), other)).toMatchObject({ status: 415, reason: 'UnsupportedMediaType' });
    expect(await upload(Buffer.alloc(40_000), asAlice('image/png'), other)).toMatchObject({ status: 413, reason: 'BodyTooLarge' });
  });

  test('while eight files are read the next one is refused; when their senders leave there is room again', async () => {
    const port = Number(new URL(venue.base).port);
    const headers = { ...asAlice('image/png'), 'content-length': 90_000 };
    const slow = Array.from({ length: 8 }, () => {
      const sending = request({ port, host: '127.0.0.1', method: 'POST', path: UPLOAD, headers });
      sending.on('error', () => undefined);
      sending.write(Buffer.alloc(10));
      return sending;
    });
    const answered = (reason: string | undefined) => async () => {
      const answer = await upload(Buffer.alloc(9), asAlice('image/png'));
      return answer.reason === reason ? answer : undefined;
    };
    expect((await eventually(answered('Overloaded'), 'eight uploads')).status).toBe(503);
    for (const sending of slow) sending.destroy();
    expect(await eventually(answered(undefined), 'room')).toMatchObject({ status: 200 });
    for (let count = 0; count < 20; count += 1) await upload(Buffer.alloc(FILE_BYTES_MAX + 1), asAlice('image/png'));
    expect(await upload(Buffer.alloc(9), asAlice('image/png'))).toMatchObject({ code: 0 });
  });
});

describe('downloads', () => {
  test('a file is saved and never shown: an attachment in a sandbox, whose type nobody guesses', async () => {
    const response = await fetch(`${venue.base}${DOWNLOAD}`);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(ATTACK);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'attachment; filename="name.png"',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });
});
