/** The chain takes blocks back, with a deposit, a withdrawal and a faucet claim in them. */
import type { Client } from '@orrery/sdk';
import { parseEther } from 'viem';
import { claimTokens, keyClient, signIn, tradeKey, withdraw } from '../../../exchange/e2e/person.ts';
import { until } from '../../../exchange/e2e/until.ts';
import type { Context, Dose, Experiment, Findings } from '../experiment.ts';
import { openFarChain, type FarChain } from '../instruments/far-chain.ts';
import type { Sent, TestChain } from '../../../exchange/e2e/test-chain.ts';
import { Verdict } from '../instruments/verdict.ts';
import { Chance } from '../../../core/engine/src/testing/chance.ts';

const CONFIRMATIONS = 4;
/** The depth that the exchange reconciles automatically. */
const DEEPEST = 64;
const MINE_EVERY_MS = 50;
const COIN = 'WSOSO';
const SMALL = [1, 2, CONFIRMATIONS - 1, CONFIRMATIONS, CONFIRMATIONS + 1, DEEPEST] as const;
const RANDOM_DEPTHS = 60;
const TOO_DEEP = { small: DEEPEST + 1, large: 300 } as const;
/** The node forgets what its contracts were some hundred blocks ago: no chain is used for long. */
const DEPTHS_A_CHAIN = 6;

export const reorganisation: Experiment = {
  id: 'E11',
  title: 'the chain takes blocks back',
  mustHold:
    'up to the configured depth nobody notices, up to 64 blocks money stops and heals by itself, deeper it waits for a person; nothing counts twice',
  run,
};

function depthsOf(dose: Dose, chance: Chance): readonly number[] {
  if (dose === 'small') return SMALL;
  return [...SMALL, ...Array.from({ length: RANDOM_DEPTHS }, () => chance.between(1, DEEPEST))];
}

async function run({ dose, seed, say }: Context): Promise<Findings> {
  const verdict = new Verdict(say);
  const depths = depthsOf(dose, new Chance(seed));
  for (let start = 0; start < depths.length; start += DEPTHS_A_CHAIN) {
    const isLast = start + DEPTHS_A_CHAIN >= depths.length;
    await onOneChain({ depths: depths.slice(start, start + DEPTHS_A_CHAIN), last: isLast ? TOO_DEEP[dose] : undefined }, { verdict, say });
  }
  return { trials: depths.length + 1, facts: { deepest: TOO_DEEP[dose] }, violations: verdict.violations };
}

async function onOneChain(
  { depths, last }: { depths: readonly number[]; last: number | undefined },
  { verdict, say }: { verdict: Verdict; say: (line: string) => void },
): Promise<void> {
  const far = await openFarChain({ confirmations: CONFIRMATIONS, people: 0 });
  try {
    for (const [index, depth] of depths.entries()) {
      say(`${depth} blocks`);
      await verdict.attempt(`${depth} blocks`, () => takeBack(far, { depth, verdict, number: index }));
      far.chain.mineEvery(MINE_EVERY_MS);
    }
    if (last === undefined) return;
    say(`${last} blocks`);
    await verdict.attempt(`${last} blocks`, () => takeBackTooDeep(far, { depth: last, verdict }));
  } finally {
    await far.close();
  }
}

interface Trial {
  readonly depth: number;
  readonly verdict: Verdict;
  readonly number: number;
}

async function takeBack(far: FarChain, { depth, verdict, number }: Trial): Promise<void> {
  const { chain, program } = far;
  const person = await signIn(program.url, { from: `10.1.${number}.1` });
  const claimed = await claimTokens(program.url, person);
  await chain.makeRich(person.wallet.address);
  const reader = keyClient(program.url, await tradeKey(person));
  await halt(chain);
  const newcomer = await signIn(program.url, { from: `10.1.${number}.2` });
  const newcomersReader = keyClient(program.url, await tradeKey(newcomer));
  // The session may end before the claim; the API key still reads its outcome.
  const claiming = claimTokens(program.url, newcomer).catch(() => undefined);
  const before = await fundingOf(reader);
  const withdrawalId = await withdraw(program.url, person, { coin: 'USDC', amount: '1' });
  const amount = parseEther('1');
  const deposit = await chain.deposit({ from: person.wallet, vault: far.vault, amount });
  await until('deposit, withdrawal and claim wait to be mined', async () => (await chain.pending()) === 3);
  await chain.mine(depth);
  await until('the program has read so far', async () => (await confirmationsOf(reader, deposit)) === depth);
  const isNoticed = depth > CONFIRMATIONS;
  if (isNoticed) await until('the deposit is credited', async () => (await fundingOf(reader)) === before + amount);
  else verdict.same(`${depth} blocks: funding before its time`, await fundingOf(reader), before);

  await chain.reorganise(depth);
  if (isNoticed) {
    await until('the program stops money', async () => !(await isReady(far)));
    await until('the deposit is in suspense', async () => (await fundingOf(reader)) === before);
  } else {
    await until('the program has seen it', async () => (await confirmationsOf(reader, deposit)) === undefined);
    verdict.check(await isReady(far), `${depth} blocks: noticed, and must not be`);
  }
  await chain.sendAgain(deposit);
  chain.mineEvery(MINE_EVERY_MS);
  await until('money moves again', () => isReady(far));
  await until('the deposit is credited', async () => (await fundingOf(reader)) === before + amount);
  await until('the withdrawal is posted', async () => {
    const { list } = await reader.withdrawals({ pageSize: 100 });
    return list.some((withdrawal) => withdrawal.withdrawalId === withdrawalId && withdrawal.state === 'POSTED');
  });
  verdict.same(`${depth} blocks: payouts`, (await chain.paidOut(far.vault)).get(withdrawalId)?.times, 1);
  const granted = parseEther(claimed.find(({ coin }) => coin === COIN)?.amount ?? '0');
  await until('the claim has arrived', async () => (await fundingOf(newcomersReader)) >= granted);
  verdict.same(`${depth} blocks: the claim`, await fundingOf(newcomersReader), granted);
  await claiming;
}

/** Deeper than the exchange reconciles automatically: everything stays halted until a person clears it. */
async function takeBackTooDeep(far: FarChain, { depth, verdict }: { depth: number; verdict: Verdict }): Promise<void> {
  const { chain, program } = far;
  const person = await signIn(program.url, { from: '10.2.0.1' });
  await claimTokens(program.url, person);
  const key = await tradeKey(person);
  await halt(chain);
  // What the person has lies below: what is taken back moves no money of the exchange, and yet is too much.
  await chain.makeRich(person.wallet.address);
  await chain.send(person.wallet, { to: person.wallet.address, value: 1n });
  await chain.mine(depth);
  await until('the program has read so far', async () => (await headOf(person.client)) === (await chain.height()), { withinMs: 120_000 });
  const before = await fundingOf(person.client);
  await chain.reorganise(depth);
  await chain.makeRich(person.wallet.address);
  await until('the program stops money', async () => !(await isReady(far)), { withinMs: 120_000 });
  const amount = parseEther('1');
  const deposit = await chain.deposit({ from: person.wallet, vault: far.vault, amount });
  await chain.mine(2 * DEEPEST);
  // A node changes its branch step by step, and may be queried meanwhile.
  const reported = await until('the whole depth is reported', async () =>
    (await partsNotReady(far)).find(({ detail }) => detail.includes(`took back ${depth} blocks`)),
  );
  await until('the new deposit is seen', async () => ((await confirmationsOf(person.client, deposit)) ?? 0) > DEEPEST, {
    withinMs: 120_000,
  });
  verdict.same('funding while a person is waited for', await fundingOf(person.client), before);
  verdict.check(!(await isReady(far)), 'money moves although nobody has looked');
  const client = keyClient(await far.restart({ ORRERY_CLEAR_HALT: reported.detail }), key);
  await until('the deposit is credited when somebody has', async () => (await fundingOf(client)) === before + amount);
}

async function halt(chain: TestChain): Promise<void> {
  await until('no transaction waits', async () => (await chain.pending()) === 0);
  chain.mineEvery(0);
  await chain.mine();
}

async function partsNotReady({ anyone }: FarChain): Promise<readonly { readonly name: string; readonly detail: string }[]> {
  const { parts } = await anyone.status();
  return parts.filter(({ ready }) => !ready);
}

const isReady = async (far: FarChain): Promise<boolean> => (await partsNotReady(far)).length === 0;

/** The height to which the program has read, by what it says of a deposit. */
async function headOf(client: Client): Promise<number> {
  const { list } = await client.deposits({ pageSize: 10 });
  const [deposit] = list;
  return deposit === undefined ? 0 : (deposit.blockNumber ?? 0) + deposit.confirmations - 1;
}

/** Undefined while the program does not know of it. */
async function confirmationsOf(client: Client, { hash }: Sent): Promise<number | undefined> {
  const { list } = await client.deposits({ pageSize: 100 });
  return list.find(({ txHash }) => txHash === hash)?.confirmations;
}

async function fundingOf(client: Client): Promise<bigint> {
  const [balance] = await client.balances({ account: 'funding', coin: COIN });
  return parseEther(balance?.availableBalance ?? '0');
}
