/** What the exchange sends to the chain is dropped, overtaken by another with its nonce, or stuck below a fee that has jumped. */
import { assert } from '@orrery/units';
import { type Hex, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { withdraw, type Person } from '../../../exchange/e2e/person.ts';
import { until } from '../../../exchange/e2e/until.ts';
import type { Context, Experiment, Findings } from '../experiment.ts';
import { openFarChain, type FarChain } from '../instruments/far-chain.ts';
import type { TestChain } from '../../../exchange/e2e/test-chain.ts';
import { Verdict } from '../instruments/verdict.ts';

const CONFIRMATIONS = 2;
/** As many as the exchange takes of one person in an hour. */
const WITHDRAWALS = 3;
const MINE_EVERY_MS = 100;
const COIN = 'USDC';
const UNIT = 10n ** 6n;
/** The exchange waits for a minute before it raises a fee. */
const PAID_WITHIN_MS = 120_000;

export const lostTransactions: Experiment = {
  id: 'E24',
  title: 'transactions dropped, nonces taken by others, fees that jump',
  mustHold: 'every withdrawal is paid exactly once, as soon as the chain lets it',
  run,
};

interface Trouble {
  readonly name: string;
  /** Before the withdrawals are asked for, while nothing is mined. */
  readonly before?: (far: FarChain) => Promise<void>;
  /** When they wait to be mined. */
  readonly after?: (far: FarChain) => Promise<void>;
}

const QUICK: readonly Trouble[] = [
  { name: 'the first of three is dropped, and leaves a gap', after: ({ chain }) => drop(chain, (nonces) => nonces.slice(0, 1)) },
  { name: 'all are dropped', after: ({ chain }) => drop(chain, (nonces) => nonces) },
  { name: 'another program uses the key, and takes their nonces', before: ({ chain }) => useKey(chain) },
];

/** Takes the minute that the exchange waits. */
const SLOW: readonly Trouble[] = [{ name: 'the fee jumps a thousandfold', after: ({ chain }) => raiseFee(chain) }];

const ROUNDS = { small: 1, large: 10 } as const;

async function run({ dose, say }: Context): Promise<Findings> {
  const verdict = new Verdict(say);
  const troubles = Array.from({ length: ROUNDS[dose] }, () => QUICK)
    .flat()
    .concat(dose === 'large' ? SLOW : []);
  const far = await openFarChain({ confirmations: CONFIRMATIONS, people: troubles.length });
  try {
    for (const [index, trouble] of troubles.entries()) {
      const person = far.people[index];
      assert(person !== undefined, 'each trouble has a person of its own');
      say(trouble.name);
      await verdict.attempt(trouble.name, () => withdrawUnder(far, { trouble, person, verdict }));
      far.chain.mineEvery(MINE_EVERY_MS);
    }
    verdict.same('payouts', (await far.chain.paidOut(far.vault)).size, troubles.length * WITHDRAWALS);
    return { trials: troubles.length, facts: { withdrawals: troubles.length * WITHDRAWALS }, violations: verdict.violations };
  } finally {
    await far.close();
  }
}

async function withdrawUnder(
  far: FarChain,
  { trouble, person, verdict }: { trouble: Trouble; person: Person; verdict: Verdict },
): Promise<void> {
  const { chain, program } = far;
  chain.mineEvery(0);
  await chain.mine();
  await trouble.before?.(far);
  const ids: Hex[] = [];
  for (let count = 1; count <= WITHDRAWALS; count += 1)
    ids.push(await withdraw(program.url, person, { coin: COIN, amount: String(count) }));
  await until('every withdrawal was sent to the chain', async () => {
    const { list } = await person.client.withdrawals({ pageSize: 100 });
    return list.length === WITHDRAWALS && list.every(({ state }) => state === 'SENT');
  });
  await trouble.after?.(far);
  chain.mineEvery(MINE_EVERY_MS);
  await until(
    'every withdrawal is posted',
    async () => {
      const { list } = await person.client.withdrawals({ pageSize: 100 });
      return list.every(({ state }) => state === 'POSTED');
    },
    { withinMs: PAID_WITHIN_MS },
  );
  const paid = await chain.paidOut(far.vault);
  for (const [index, id] of ids.entries())
    verdict.same(`${trouble.name}: payouts of ${id}`, paid.get(id), { times: 1, amount: BigInt(index + 1) * UNIT });
}

interface Waiting {
  readonly hash: Hex;
  readonly nonce: Hex;
}

/** Takes transactions out of the node's pool, as a node does that is full or is started again. */
async function drop(chain: TestChain, choose: (waiting: readonly Waiting[]) => readonly Waiting[]): Promise<void> {
  const { pending } = (await chain.call('txpool_content')) as { pending: Record<string, Record<string, Waiting>> };
  const waiting = Object.values(pending)
    .flatMap((byNonce) => Object.values(byNonce))
    .sort((left, right) => Number(left.nonce) - Number(right.nonce));
  for (const { hash } of choose(waiting)) await chain.call('anvil_dropTransaction', [hash]);
}

/** A payment by the exchange's own key that the exchange knows nothing of. */
async function useKey(chain: TestChain): Promise<void> {
  const operator = privateKeyToAccount(chain.operatorKey);
  for (let count = 0; count < WITHDRAWALS; count += 1) await chain.send(operator, { to: operator.address, value: 1n });
}

async function raiseFee(chain: TestChain): Promise<void> {
  const { baseFeePerGas } = await chain.client.getBlock();
  await chain.call('anvil_setNextBlockBaseFeePerGas', [toHex((baseFeePerGas ?? 10n ** 9n) * 1_000n)]);
}
