/** A tester whose terms were accepted at another gateway a moment ago: what this one has followed of history does not say so yet. */
import { accountId, millis, seq } from '@orrery/units';
import { expect, test } from 'vitest';
import { sandboxHandlers, type SandboxPorts } from './sandbox.ts';

const ALICE = accountId(7);

/** @param reached what history says of the terms once it is followed to its end */
function behind(reached: boolean) {
  let accepted = false;
  const given: unknown[] = [];
  const practice = { market: 1, symbol: 'BTC_PRACTICE', settle: 9, payoff: 'linear', isPractice: true };
  const ports = {
    floor: {
      accounts: { account: () => ({ flags: { termsAccepted: accepted } }) },
      contracts: { contracts: () => [{ contract: practice }] },
      asset: () => ({ code: 'PRACTICE', decimals: 2 }),
    },
    desk: {
      upToDate: () => Promise.resolve(void (accepted = reached)),
      give: (command: unknown) => {
        given.push(command);
        return Promise.resolve({ seq: seq(1), events: [] });
      },
    },
    sandbox: { scope: 'practice' },
    practiceNews: { add: () => undefined, actions: [] },
    now: () => millis(1_795_000_000_000),
  } as unknown as SandboxPorts;
  const call = (handler: (call: never) => unknown, body: unknown): Promise<unknown> => {
    const made: unknown = { principal: { account: ALICE }, query: {}, body, caller: { committed: () => undefined } };
    return Promise.resolve(Reflect.apply(handler, undefined, [made]));
  };
  return { handlers: sandboxHandlers(ports), call, given };
}

test('terms that another gateway has accepted are waited for before a call is refused', async () => {
  const { handlers, call, given } = behind(true);
  // What follows the terms is no matter of this test.
  await call(handlers.grantPractice, {}).catch(() => undefined);
  expect(given).toMatchObject([{ type: 'GrantPractice', account: ALICE }]);
});

test.each(['grantPractice', 'movePrice', 'forceFunding', 'skipHour', 'liquidateMe', 'fillMyOrder'] as const)(
  '%s is refused where history, followed to its end, has no accepted terms',
  async (name) => {
    const { handlers, call, given } = behind(false);
    const body = { symbol: 'BTC_PRACTICE', change: '0.1', seconds: 60, orderId: '1' };
    await expect(call(handlers[name], body)).rejects.toMatchObject({ data: { reason: 'TermsNotAccepted' } });
    expect(given).toEqual([]);
  },
);
