import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GOOD_SIGNATURE } from '../testing/people.ts';
import { openVenue, type Venue } from '../testing/venue.ts';

const lines: string[] = [];

let venue: Venue;
beforeAll(async () => {
  const logger = pino({ level: 'warn', base: null }, { write: (line: string) => void lines.push(line) });
  venue = await openVenue({ logger, withdrawalQuotas: ['1000'] });
});
afterAll(() => venue.close());

let made = 0;
function withdraw(changes: object, as: object = { as: venue.alice }) {
  made += 1;
  const withdrawalId = `0x${made.toString(16).padStart(64, '0')}`;
  const signed = { nonce: `nonceofrefusal${made}`, signature: GOOD_SIGNATURE, message: 'message' };
  return venue.post('/pro/u/asset/withdraw', {
    ...as,
    body: { withdrawalId, coin: 'USDC', amount: '1', to: venue.alice.address, ...signed, ...changes },
  });
}

const REFUSALS: readonly { readonly why: string; readonly changes: object; readonly reason: string; readonly as?: object }[] = [
  { why: 'nobody is signed in', changes: {}, reason: 'NotSignedIn', as: {} },
  { why: 'the signature is wrong', changes: { signature: '0x01' }, reason: 'InvalidSignature' },
  { why: 'the amount is none', changes: { amount: '01' }, reason: 'MalformedField' },
  { why: 'the coin is unknown', changes: { coin: 'NONE' }, reason: 'UnknownAsset' },
  { why: 'the receiver is nowhere', changes: { to: `0x${'0'.repeat(40)}` }, reason: 'MalformedField' },
  { why: 'the quota is exceeded', changes: { amount: '1001' }, reason: 'WithdrawalQuotaExceeded' },
  { why: 'the balance is too small', changes: { amount: '999', coin: 'WSOSO' }, reason: 'InsufficientBalance' },
];

test.each(REFUSALS)('a withdrawal that is refused since $why is one line of the log', async ({ changes, reason, as }) => {
  lines.length = 0;
  const answer = await withdraw(changes, as);
  expect(answer).toMatchObject({ data: { reason } });
  expect(lines).toHaveLength(1);
  const line = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  expect(line).toMatchObject({
    msg: 'a withdrawal was refused',
    reason,
    status: answer.status,
    network: expect.any(String),
    coin: expect.any(String),
  });
  expect(line['account']).toBe(as === undefined ? venue.alice.account : undefined);
  // What signs it stays out of the log.
  expect(lines[0]).not.toMatch(/nonceofrefusal|signature|message"/);
});

test('one that is taken, and other calls that are refused, are not in it', async () => {
  lines.length = 0;
  expect(await withdraw({})).toMatchObject({ code: 0 });
  expect(
    await venue.post('/pro/u/asset/transfer', { as: venue.alice, body: { coin: 'NONE', amount: '1', from: 'spot', to: 'funding' } }),
  ).toMatchObject({
    data: { reason: 'UnknownAsset' },
  });
  expect(lines).toEqual([]);
});
