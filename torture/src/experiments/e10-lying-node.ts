/** The node is down, slow, behind or lies: money waits, and is neither lost nor made. */
import { setTimeout as pause } from 'node:timers/promises';
import { parseEther, formatEther, parseUnits, erc20Abi, type Hex } from 'viem';
import { withdraw, type Person } from '../../../exchange/e2e/person.ts';
import { until } from '../../../exchange/e2e/until.ts';
import { assert } from '@orrery/units';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import type { Context, Experiment, Findings } from '../experiment.ts';
import { openFarChain, type FarChain } from '../instruments/far-chain.ts';
import { NODE_FAULTS, type NamedFault } from '../instruments/rpc-faults.ts';
import { shuffled } from '../instruments/shuffled.ts';
import { Verdict } from '../instruments/verdict.ts';

const CONFIRMATIONS = 3;
/** The exchange's limit of withdrawals per person and hour. */
const WITHDRAWALS_EACH = 3;
const PEOPLE_A_ROUND = NODE_FAULTS.length / WITHDRAWALS_EACH;
const ROUNDS = { small: 1, large: 5 } as const;
/** Blocks under a fault: more than a deposit needs to become final. */
const BLOCKS = 10;
const BLOCK_MS = 150;
/** After the node is well again. */
const CREDITED_WITHIN_MS = 20_000;
const COIN = 'WSOSO';
const PAID_COIN = 'USDC';
const PAID_DECIMALS = 6;

export const lyingNode: Experiment = {
  id: 'E10',
  title: 'chain node down, lagging, lying',
  mustHold: 'a deposit is credited exactly once and a withdrawal paid exactly once, however the node answers; trading goes on',
  run,
};

async function run({ dose, seed, say }: Context): Promise<Findings> {
  const verdict = new Verdict(say);
  const chance = new Chance(seed);
  const rounds = ROUNDS[dose];
  const far = await openFarChain({ confirmations: CONFIRMATIONS, people: Math.ceil(PEOPLE_A_ROUND) * rounds });
  try {
    const books = await Promise.all(far.people.map((person) => openBook(person)));
    const faults = Array.from({ length: rounds }, () => shuffled(NODE_FAULTS, chance)).flat();
    for (const [index, fault] of faults.entries()) {
      const book = books[index % books.length];
      assert(book !== undefined, 'there are people');
      say(fault.name);
      await verdict.attempt(fault.name, () => underFault(far, { fault, book, verdict }));
    }
    await checkAll(far, books, verdict);
    return { trials: faults.length, facts: { 'calls that met a fault': far.rpc.touched }, violations: verdict.violations };
  } finally {
    await far.close();
  }
}

/** What a person must have, by what they did. */
interface Book {
  readonly person: Person;
  /** Atoms of the coin deposited, in the funding wallet. */
  deposited: bigint;
  readonly withdrawals: Map<Hex, bigint>;
}

async function openBook(person: Person): Promise<Book> {
  return { person, deposited: await fundingOf(person, COIN), withdrawals: new Map() };
}

async function fundingOf({ client }: Person, coin: string): Promise<bigint> {
  const [balance] = await client.balances({ account: 'funding', coin });
  return parseEther(balance?.balance ?? '0');
}

async function underFault(
  { chain, rpc, vault, program }: FarChain,
  { fault, book, verdict }: { fault: NamedFault; book: Book; verdict: Verdict },
): Promise<void> {
  const { person } = book;
  const amount = parseEther('1') + BigInt(book.withdrawals.size);
  rpc.setFault(fault.begin(await chain.height()));
  try {
    if (book.withdrawals.size < WITHDRAWALS_EACH) {
      const units = String(book.withdrawals.size + 1);
      book.withdrawals.set(await withdraw(program.url, person, { coin: PAID_COIN, amount: units }), parseUnits(units, PAID_DECIMALS));
    }
    await chain.deposit({ from: person.wallet, vault, amount });
    // Mined here: the chain's own miner rests while nothing waits.
    for (let block = 0; block < BLOCKS; block += 1) {
      await chain.mine();
      await pause(BLOCK_MS);
    }
    const meanwhile = await fundingOf(person, COIN);
    verdict.check(
      meanwhile === book.deposited || meanwhile === book.deposited + amount,
      `${fault.name}: ${formatEther(meanwhile)} ${COIN} in place of ${formatEther(book.deposited)} or ${formatEther(amount)} more`,
    );
  } finally {
    rpc.setFault(undefined);
  }
  book.deposited += amount;
  await until(`the deposit made under "${fault.name}" is credited`, async () => (await fundingOf(person, COIN)) >= book.deposited, {
    withinMs: CREDITED_WITHIN_MS,
  });
  verdict.same(`${fault.name}: funding`, await fundingOf(person, COIN), book.deposited);
}

async function checkAll({ chain, vault, anyone }: FarChain, books: readonly Book[], verdict: Verdict): Promise<void> {
  await verdict.attempt('withdrawals', () =>
    until('every withdrawal is posted', async () => {
      const lists = await Promise.all(books.map(({ person }) => person.client.withdrawals({ pageSize: 100 })));
      return lists.every(
        ({ list }, index) => list.length === books[index]?.withdrawals.size && list.every(({ state }) => state === 'POSTED'),
      );
    }).then(() => undefined),
  );
  const paid = await chain.paidOut(vault);
  const { tokens } = await anyone.contracts();
  const token = tokens.find(({ coin }) => coin === PAID_COIN)?.address as Hex;
  for (const { person, deposited, withdrawals } of books) {
    verdict.same('funding at the end', await fundingOf(person, COIN), deposited);
    for (const [id, amount] of withdrawals) verdict.same(`payouts of ${id}`, paid.get(id), { times: 1, amount });
    const wanted = [...withdrawals.values()].reduce((sum, amount) => sum + amount, 0n);
    const held = await chain.client.readContract({
      address: token,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [person.wallet.address],
    });
    verdict.same(`${PAID_COIN} in the wallet of ${person.address}`, held, wanted);
  }
  verdict.same(
    'payouts',
    paid.size,
    books.reduce((sum, { withdrawals }) => sum + withdrawals.size, 0),
  );
  const { parts } = await anyone.status();
  verdict.same(
    'parts that are not ready',
    parts.filter(({ ready }) => !ready),
    [],
  );
}
