import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { signedRequestText } from '@orrery/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiKeyCredentials } from '../../../../clients/sdk/src/credentials.ts';
import { type Key, signedHeaders, signedRequestHeaders } from '../testing/people.ts';
import { openVenue, type Venue } from '../testing/venue.ts';

let venue: Venue;
beforeAll(async () => {
  venue = await openVenue();
});
afterAll(() => venue.close());

const LIST = '/spot/v1/u/trade/order/list';

function ed25519Key(): Key {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const bytes = publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('base64');
  const key = venue.people.addKey(venue.alice, {
    permission: 'TRADE',
    endsAt: venue.clock.now + 1e9,
    publicKey: bytes,
    moneyRights: ['TRANSFER'],
  });
  return { ...key, secret: '', privateKey };
}

describe('[A5] a key of Ed25519', () => {
  const read = (headers: Record<string, string>) => venue.get(LIST, { headers });
  const headersOf = (key: Key): Record<string, string> =>
    signedRequestHeaders(key, { method: 'GET', url: LIST, timestamp: venue.clock.now });

  test('signs a call by version 2, once, and by its own private key only', async () => {
    const key = ed25519Key();
    const headers = headersOf(key);
    expect(await read(headers)).toMatchObject({ code: 0 });
    expect(await read(headers)).toMatchObject({ data: { reason: 'ReplayedRequest' } });
    const stranger = { ...ed25519Key(), accessKey: key.accessKey };
    expect(await read(headersOf(stranger))).toMatchObject({ data: { reason: 'InvalidSignature' } });
    // Its public half is no secret: nothing is accepted that is keyed by it, and nothing without a key.
    const { privateKey: _, ...byHmac } = key;
    expect(await read(headersOf(byHmac))).toMatchObject({ data: { reason: 'InvalidSignature' } });
    const other = { ...headersOf(key), 'x-request-nonce': 'another-nonce' };
    expect(await read(other)).toMatchObject({ data: { reason: 'InvalidSignature' } });
  });

  test('signs nothing the legacy way, reads included', async () => {
    const key = ed25519Key();
    const timestamp = venue.clock.now;
    const bodyHash = createHash('sha256').digest('hex');
    const text = signedRequestText({ method: 'GET', path: LIST, query: '', bodyHash, nonce: 'a-nonce-of-it', timestamp });
    const signature = key.privateKey === undefined ? '' : sign(null, Buffer.from(text), key.privateKey).toString('hex');
    const legacy = { ...signedHeaders(key, [], timestamp), 'x-signature': signature };
    expect(await read(legacy)).toMatchObject({ data: { reason: 'LegacySignature' } });
  });

  test('is held by a program as PEM: the SDK signs as the exchange reads', async () => {
    const key = ed25519Key();
    const privateKey = key.privateKey?.export({ format: 'pem', type: 'pkcs8' }).toString() ?? '';
    const credentials = new ApiKeyCredentials({ accessKey: key.accessKey, privateKey, now: () => venue.clock.now });
    const headers = await credentials.headers({ method: 'GET', url: new URL(`${venue.base}${LIST}`), body: '' });
    expect(await read({ ...headers })).toMatchObject({ code: 0 });
    const wrong = new ApiKeyCredentials({ accessKey: key.accessKey, privateKey: 'AAAA' });
    await expect(wrong.headers({ method: 'GET', url: new URL(venue.base), body: '' })).rejects.toThrow();
  });
});

describe('[A5] the rights over money', () => {
  const keyWith = (moneyRights: ('TRANSFER' | 'WITHDRAW')[], permission: 'READ' | 'TRADE' = 'READ', legacySigning = false): Key =>
    venue.people.addKey(venue.alice, { permission, moneyRights, legacySigning, endsAt: venue.clock.now + 1e9 });
  const transfer = { coin: 'USDC', amount: '1', from: 'spot', to: 'funding' };
  const post = async (key: Key, url: string, body: object) => {
    const timestamp = (venue.clock.now += 1);
    return venue.post(url, { body, headers: signedRequestHeaders(key, { method: 'POST', url, body: JSON.stringify(body), timestamp }) });
  };

  test('a transfer and a withdrawal are each made by the right of its own', async () => {
    const body = { withdrawalId: `0x${'ef'.repeat(32)}`, coin: 'USDC', amount: '0.5', to: venue.alice.address };
    const answers: (readonly unknown[])[] = [];
    for (const key of [keyWith([], 'TRADE'), keyWith(['TRANSFER']), keyWith(['WITHDRAW']), keyWith(['TRANSFER', 'WITHDRAW'])]) {
      const moved = await post(key, '/pro/u/asset/transfer', transfer);
      const paid = await post(key, '/pro/u/asset/withdraw', body);
      answers.push([moved, paid].map(({ code, data }) => (code === 0 ? 'ok' : Reflect.get(data, 'reason'))));
    }
    expect(answers).toEqual([
      ['PermissionMissing', 'PermissionMissing'],
      ['ok', 'PermissionMissing'],
      ['PermissionMissing', 'ok'],
      ['ok', expect.any(String)],
    ]);
  });

  test('are not used by a legacy signature, but for the transfers of a key that was made for it', async () => {
    const legacy = (key: Key) => {
      const timestamp = (venue.clock.now += 1);
      const headers = signedHeaders(key, [['body', JSON.stringify(transfer)]], timestamp);
      return venue.post('/pro/u/asset/transfer', { body: transfer, headers });
    };
    expect(await legacy(keyWith(['TRANSFER']))).toMatchObject({ data: { reason: 'LegacySignature' } });
    expect(await legacy(keyWith(['TRANSFER'], 'READ', true))).toMatchObject({ code: 0 });
  });
});
