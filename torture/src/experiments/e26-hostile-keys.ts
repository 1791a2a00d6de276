/** The keys of the contracts are in hostile hands: caps and roles are changed, money nobody requested is released, tokens leave the vault. */
import { exchangeVaultAbi, testTokenAbi, withdrawalTypedData, wsosoAbi } from '@orrery/contracts';
import { type Client, createClient } from '@orrery/sdk';
import { assert } from '@orrery/units';
import { encodeFunctionData, type Hex, keccak256, parseEther, parseUnits, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { claimTokens, type Person, signIn, withdraw } from '../../../exchange/e2e/person.ts';
import { until } from '../../../exchange/e2e/until.ts';
import type { Context, Experiment, Findings } from '../experiment.ts';
import { openFarChain, type FarChain } from '../instruments/far-chain.ts';
import type { TestChain } from '../../../exchange/e2e/test-chain.ts';
import { Verdict } from '../instruments/verdict.ts';

const CONFIRMATIONS = 2;
const ROUNDS = { small: 1, large: 5 } as const;
const COIN = 'USDC';
const STOLEN = parseUnits('18000', 6);
const DONATED = parseEther('3');
/** Within which an act must be seen; more than the solvency check takes of the time between two blocks. */
const SEEN_WITHIN_MS = 60_000;
/** Blocks in which a withdrawal would have been paid long since. */
const QUIET_BLOCKS = 20;
const MINE_EVERY_MS = 100;
/** Short, and not none: withdrawals are requested before they are released. */
const DISPUTE_SECONDS = 3;
const DISPUTE = { ORRERY_DISPUTE_SECONDS: String(DISPUTE_SECONDS) };

export const hostileKeys: Experiment = {
  id: 'E26',
  title: "the contracts' keys in hostile hands",
  mustHold:
    'every change of a role or cap, every payout that nobody requested and every token that is gone halts money until a person has looked; a gift does not',
  run,
};

/** Where the keys are used: the chain, and what lies on it. */
interface Scene {
  readonly chain: TestChain;
  readonly vault: Hex;
  readonly usdc: Hex;
  readonly wsoso: Hex;
}

/** The program as it runs now, and who uses it. */
interface Stage {
  readonly far: FarChain;
  readonly scene: Scene;
  readonly verdict: Verdict;
  key: Hex;
  url: string;
  person: Person;
  /** Withdrawals that were paid honestly. */
  paid: number;
}

interface Act {
  readonly name: string;
  readonly sentence: RegExp;
  readonly act: (scene: Scene, round: number) => Promise<void>;
}

/** A person looks at these, and ends their alarms together. */
const CHANGES: readonly Act[] = [
  { name: 'the caps are raised', sentence: /^the vault set the caps of USDC/, act: raiseCaps },
  { name: 'a role is granted', sentence: /^the vault set the caps of USDC.*, and 1 more alarm$/, act: grantRole },
];

const THEFTS: readonly Act[] = [
  {
    name: 'a payout is requested',
    sentence: /^the vault was requested to release 18000 USDC to 0x/,
    act: (scene, round) => steal(scene, 'request', round),
  },
  { name: 'money is released', sentence: /, and 1 more alarm$/, act: (scene, round) => steal(scene, 'release', round) },
  { name: 'tokens leave without an event', sentence: /, and 2 more alarms$/, act: moveTokens },
];

async function run({ dose, say }: Context): Promise<Findings> {
  const verdict = new Verdict(say);
  let trials = 0;
  for (let round = 0; round < ROUNDS[dose]; round += 1) {
    const far = await openFarChain({ confirmations: CONFIRMATIONS, people: 0, mineEveryMs: MINE_EVERY_MS, env: DISPUTE });
    try {
      // The exchange takes three withdrawals of one person in an hour.
      const [key, other] = [generatePrivateKey(), generatePrivateKey()];
      const person = await signIn(far.program.url, { privateKey: key, from: '10.26.0.1' });
      await claimTokens(far.program.url, person);
      await claimTokens(far.program.url, await signIn(far.program.url, { privateKey: other, from: '10.26.0.2' }));
      const { chain, vault, anyone } = far;
      const scene = { chain, vault, usdc: await tokenOf(anyone, COIN), wsoso: await tokenOf(anyone, 'WSOSO') };
      await stock(scene, anyone);
      const stage: Stage = { far, scene, verdict, key, person, url: far.program.url, paid: 0 };
      await verdict.attempt('a gift', () => donate(stage));
      await verdict.attempt('changes', () => changes(stage, round, say));
      stage.key = other;
      stage.person = await signIn(stage.url, { privateKey: other, from: '10.26.0.2' });
      await verdict.attempt('thefts', () => thefts(stage, round, say));
      trials += 1 + CHANGES.length + THEFTS.length;
      verdict.same('requested payouts', stage.paid, 1 + CHANGES.length);
    } finally {
      await far.close();
    }
  }
  return { trials, facts: { 'stolen USDC of each round': '18000' }, violations: verdict.violations };
}

/** What there is to steal: a deposit by the deployer, who mints the test tokens. */
async function stock({ chain, vault, usdc }: Scene, anyone: Client): Promise<void> {
  const deployer = deployerOf(chain);
  await chain.send(deployer, {
    to: usdc,
    data: encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [deployer.address, 2n * STOLEN] }),
  });
  await chain.send(deployer, {
    to: usdc,
    data: encodeFunctionData({ abi: testTokenAbi, functionName: 'approve', args: [vault, 2n * STOLEN] }),
  });
  const args = [usdc, 2n * STOLEN, deployer.address] as const;
  await chain.send(deployer, { to: vault, data: encodeFunctionData({ abi: exchangeVaultAbi, functionName: 'depositERC20', args }) });
  await until('the stock is credited', async () => {
    const coin = await solvencyOf(anyone, COIN);
    return coin !== undefined && Number(coin.ledger) > 36_000 && coin.uncredited === '0';
  });
}

/** Nothing halts, the gift is shown as one, and a withdrawal is paid. */
async function donate(stage: Stage): Promise<void> {
  const { far, scene, verdict, person } = stage;
  const { chain, vault, wsoso } = scene;
  const { anyone } = far;
  await chain.makeRich(person.wallet.address);
  await chain.send(person.wallet, { to: wsoso, value: DONATED, data: encodeFunctionData({ abi: wsosoAbi, functionName: 'deposit' }) });
  const transfer = encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [vault, DONATED] });
  await chain.send(person.wallet, { to: wsoso, data: transfer });
  await until('the gift is shown as a gift', async () => (await solvencyOf(anyone, 'WSOSO'))?.donated === '3');
  verdict.same('the difference after a gift', (await solvencyOf(anyone, 'WSOSO'))?.difference, '0');
  verdict.same('what a gift halts', await haltOf(stage), undefined);
  await isPaid(stage, 'a withdrawal after a gift');
}

/** Each is seen and halts money; a person who has looked ends them, and what waited is paid. */
async function changes(stage: Stage, round: number, say: Context['say']): Promise<void> {
  const { verdict } = stage;
  const waiting: Hex[] = [];
  let detail = '';
  for (const act of CHANGES) {
    say(act.name);
    detail = await seen(stage, act, round);
    waiting.push(await stays(stage, act.name));
  }
  await restart(stage, { ORRERY_CLEAR_HALT: detail });
  await until('money moves again', async () => {
    const states = await Promise.all(waiting.map((id) => stateOf(stage, id)));
    return states.every((state) => state === 'POSTED');
  });
  stage.paid += waiting.length;
  verdict.same('the halt after a person has looked', await haltOf(stage), undefined);
}

/** Each is seen and halts money, also after a restart. */
async function thefts(stage: Stage, round: number, say: Context['say']): Promise<void> {
  let detail = '';
  for (const act of THEFTS) {
    say(act.name);
    detail = await seen(stage, act, round);
    await stays(stage, act.name);
  }
  await restart(stage, {});
  await until('the alarms survive a restart', async () => (await haltOf(stage)) === detail);
}

async function seen(stage: Stage, { name, sentence, act }: Act, round: number): Promise<string> {
  await act(stage.scene, round);
  return until(
    `${name}: /status says so`,
    async () => {
      const detail = await haltOf(stage);
      return detail !== undefined && sentence.test(detail) ? detail : undefined;
    },
    { withinMs: SEEN_WITHIN_MS },
  );
}

/** A withdrawal that is requested during an alarm is not paid. @returns its id. */
async function stays(stage: Stage, name: string): Promise<Hex> {
  const { far, verdict, url, person } = stage;
  const before = (await far.chain.paidOut(far.vault)).size;
  const id = await withdraw(url, person, { coin: COIN, amount: '1' });
  await far.chain.mine(QUIET_BLOCKS);
  const height = await far.chain.height();
  await until('the program has read these blocks', async () => (await headOf(person.client)) >= height);
  // History follows the engine: a withdrawal that was acknowledged may be listed a moment later.
  const state = await until('the withdrawal is listed', () => stateOf(stage, id));
  verdict.same(`${name}: the withdrawal`, state, 'HELD');
  verdict.same(`${name}: payouts during the alarm`, (await far.chain.paidOut(far.vault)).size, before);
  return id;
}

async function isPaid(stage: Stage, name: string): Promise<void> {
  const id = await withdraw(stage.url, stage.person, { coin: COIN, amount: '1' });
  await until(`${name} is posted`, async () => (await stateOf(stage, id)) === 'POSTED');
  stage.paid += 1;
}

async function restart(stage: Stage, env: Readonly<Record<string, string>>): Promise<void> {
  stage.url = await stage.far.restart(env);
  stage.person = await signIn(stage.url, { privateKey: stage.key, from: '10.26.0.1' });
}

async function raiseCaps({ chain, vault, usdc }: Scene): Promise<void> {
  const args = [usdc, { hourly: 2n * STOLEN, daily: 4n * STOLEN }] as const;
  await chain.send(deployerOf(chain), {
    to: vault,
    data: encodeFunctionData({ abi: exchangeVaultAbi, functionName: 'setOutflowCaps', args }),
  });
}

async function grantRole({ chain, vault }: Scene): Promise<void> {
  const args = [keccak256(toHex('OPERATOR_ROLE')), privateKeyToAccount(generatePrivateKey()).address] as const;
  await chain.send(deployerOf(chain), { to: vault, data: encodeFunctionData({ abi: exchangeVaultAbi, functionName: 'grantRole', args }) });
}

async function steal({ chain, vault, usdc }: Scene, functionName: 'request' | 'release', round: number): Promise<void> {
  const operator = privateKeyToAccount(chain.operatorKey);
  const to = deployerOf(chain).address;
  const withdrawal = { id: keccak256(toHex(`theft ${round}`)), token: usdc, to, amount: STOLEN, deadline: 10n ** 12n };
  const chainId = await chain.client.getChainId();
  const signature = await operator.signTypedData(withdrawalTypedData({ chainId, vault, withdrawal }));
  if (functionName === 'release') await delayIsOver(chain, vault, withdrawal.id);
  await chain.send(deployerOf(chain), {
    to: vault,
    data: encodeFunctionData({ abi: exchangeVaultAbi, functionName, args: [withdrawal, signature] }),
  });
}

async function delayIsOver({ client }: TestChain, address: Hex, id: Hex): Promise<void> {
  await until('the dispute delay is over', async () => {
    const from = await client.readContract({ address, abi: exchangeVaultAbi, functionName: 'releasableAt', args: [id] });
    return from > 0n && (await client.getBlock()).timestamp >= from;
  });
}

/** As a fault of the token itself would move them. */
async function moveTokens({ chain, vault, usdc }: Scene): Promise<void> {
  await chain.makeRich(vault);
  await chain.call('anvil_impersonateAccount', [vault]);
  const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [deployerOf(chain).address, 7n] });
  await chain.call('eth_sendTransaction', [{ from: vault, to: usdc, data }]);
}

const deployerOf = (chain: TestChain) => privateKeyToAccount(chain.deployerKey);

async function tokenOf(anyone: Client, coin: string): Promise<Hex> {
  const token = (await anyone.contracts()).tokens.find((candidate) => candidate.coin === coin);
  assert(token !== undefined, `${coin} is on the chain`);
  return token.address as Hex;
}

async function solvencyOf(anyone: Client, coin: string) {
  return (await anyone.solvency()).find((candidate) => candidate.coin === coin);
}

/** Why money does not move; undefined when it does. */
async function haltOf({ url }: Stage): Promise<string | undefined> {
  const { parts } = await createClient({ baseUrl: url }).status();
  return parts.find(({ name, ready }) => name === 'deposits and withdrawals' && !ready)?.detail;
}

async function stateOf({ person }: Stage, id: Hex): Promise<string | undefined> {
  const { list } = await person.client.withdrawals({ pageSize: 100 });
  return list.find(({ withdrawalId }) => withdrawalId === id)?.state;
}

/** The height to which the program has read, by what it says of a claim's deposits. */
async function headOf(client: Client): Promise<number> {
  const [deposit] = (await client.deposits({ pageSize: 10 })).list;
  return deposit === undefined ? 0 : (deposit.blockNumber ?? 0) + deposit.confirmations - 1;
}
