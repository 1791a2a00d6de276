import { contract } from '@orrery/api';
import { afterEach, expect, test } from 'vitest';
import { openVenue, type Venue } from '../testing/venue.ts';
import type { BegunCall, CallTraces } from './traced-calls.ts';

let venue: Venue | undefined;

afterEach(() => venue?.close());

/** Writes down what it is given. */
class Noted implements CallTraces {
  readonly begun: BegunCall[] = [];
  readonly ended: (number | undefined)[] = [];
  within = 0;

  begin(call: BegunCall) {
    this.begun.push(call);
    return {
      within: (work: () => void): void => {
        this.within += 1;
        work();
      },
      end: (status: number | undefined): void => void this.ended.push(status),
    };
  }
}

test('a call is traced by its route and the id that its answer has, and only what is a call', async () => {
  const traces = new Noted();
  venue = await openVenue({ traces });
  const traceparent = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;
  const { headers } = await venue.get(`${contract.balances.path}?account=spot`, { as: venue.alice, headers: { traceparent } });
  await expect.poll(() => traces.ended).toEqual([200]);
  expect(traces.begun).toEqual([{ requestId: headers.get('x-request-id'), method: 'GET', path: contract.balances.path, traceparent }]);
  expect(traces.within).toBe(1);
  for (const path of ['/', '/docs', '/nowhere', '/livez']) await venue.get(path);
  // Refused before its handler: it is a call all the same.
  await venue.get(contract.balances.path);
  await expect.poll(() => traces.ended).toEqual([200, 401]);
});
