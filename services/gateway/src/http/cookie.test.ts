import { afterAll, beforeAll, expect, test } from 'vitest';
import { contract, type Caller } from '@orrery/api';
import { openVenue, type Venue } from '../testing/venue.ts';

const NAME = '__Host-orrery-browser';
let seen: Caller['cookies'];
let venue: Venue;
beforeAll(async () => {
  venue = await openVenue({
    mounts: [
      {
        name: 'nonce',
        route: contract.nonce,
        answer: ({ caller }) => {
          seen = caller.cookies;
          caller.setCookie(NAME, 'abc_-9', { path: '/', httpOnly: true, secure: true, sameSite: 'lax', maxAgeSeconds: 600 });
          caller.setCookie('orrery-operator', '', { path: '/', httpOnly: true, secure: false, sameSite: 'strict', maxAgeSeconds: 0 });
          return 'f8ab359a9bdbaf18f1f7e0eaefd06250';
        },
      },
    ],
  });
});
afterAll(() => venue.close());

const call = (cookie: string) => venue.get(contract.nonce.path, { query: { evmAddress: venue.alice.address }, headers: { cookie } });

test('a handler sets several cookies, each with every flag', async () => {
  const { headers } = await call('');
  const cookies = headers.getSetCookie().map((cookie) => cookie.split('; ').toSorted());
  expect(cookies).toEqual([
    ['HttpOnly', 'Max-Age=600', 'Path=/', 'SameSite=Lax', 'Secure', `${NAME}=abc_-9`],
    ['HttpOnly', 'Max-Age=0', 'Path=/', 'SameSite=Strict', 'orrery-operator='],
  ]);
});

test('the first cookie of a name counts, and what is no cookie is left out', async () => {
  await call(`a=1; ${NAME}=abc_-9; a=2; nothing; __proto__=x; b=%zz`);
  expect([seen['a'], seen[NAME], seen['nothing'], seen['b']]).toEqual(['1', 'abc_-9', undefined, '%zz']);
  expect([seen['toString'], seen['constructor']]).toEqual([undefined, undefined]);
});
