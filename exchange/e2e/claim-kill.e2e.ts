/** The faucet of the whole program, killed between taking a claim, sending it to the chain and writing down that it was sent. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { momentsOf } from './little-time.ts';
import { claimTokens, mayClaim, signIn, type Person } from './person.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { until } from './until.ts';
import { program, startAgain, withProgram } from './with-program.ts';

/** Milliseconds from the claim to kill -9: before it is taken, while it is sent, while it is mined, while it is credited. */
const KILLED_AFTER_MS = momentsOf([5, 30, 80, 150, 300, 700]);
const CLAIMS_AT_ONCE = 50;

withProgram({ env: { ...BEHIND_A_PROXY, ORRERY_MARKET_MAKER: 'off' } });

/** Whether any of many claims at once was answered before the kill. */
async function claimAndKill({ client, address }: Person, afterMs: number): Promise<boolean> {
  const calls = Array.from({ length: CLAIMS_AT_ONCE }, () => client.claim({ address }));
  const claims = Promise.allSettled(calls);
  await pause(afterMs);
  // A busy machine may have answered none by then: the last kill waits for an answer.
  if (afterMs === KILLED_AFTER_MS.at(-1)) await Promise.any(calls);
  await program.kill();
  return (await claims).some(({ status }) => status === 'fulfilled');
}

test('[T9] F1: 50 claims at once and kill -9 at any moment between: everybody is paid exactly once, and no answered claim is lost', async () => {
  const { url } = program;
  const people: { readonly person: Person; readonly isAnswered: boolean }[] = [];
  for (const [index, afterMs] of KILLED_AFTER_MS.entries()) {
    const person = await signIn(url, { from: `10.9.0.${index + 1}` });
    await mayClaim(url, person);
    people.push({ person, isAnswered: await claimAndKill(person, afterMs) });
    await startAgain();
  }
  const paid = await claimTokens(url, await signIn(url, { from: '10.9.1.1' }));
  for (const { person, isAnswered } of people) {
    const { client, address } = person;
    await person.refresh();
    const { status } = await client.faucetStatus({ address });
    if (isAnswered) expect(status).not.toBe(0);
    if (status === 0) await client.claim({ address });
    await until('the claim is paid', async () => (await client.faucetStatus({ address })).status === 2);
    await until('the deposits are credited', async () => {
      const balances = await client.balances({ account: 'funding' });
      return balances.length >= paid.length && balances.every(({ availableBalance }) => availableBalance !== '0');
    });
  }
  // What would be paid a second time has had its time to arrive.
  await pause(3_000);
  for (const { person } of people) {
    const balances = await person.client.balances({ account: 'funding' });
    expect(balances.map(({ coin, availableBalance }) => ({ coin, amount: availableBalance }))).toEqual(paid);
  }
  expect(people.some(({ isAnswered }) => isAnswered)).toBe(true);
});
