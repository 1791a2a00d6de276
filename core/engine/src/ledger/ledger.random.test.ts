import { expect, test } from 'vitest';
import { WALLETS, type Event, type Wallet } from '@orrery/protocol';
import { accountId, assetId, atoms, negateAtoms, type AssetId, type Atoms } from '@orrery/units';
import { Chance } from '../testing/chance.ts';
import { RESERVES, SYSTEM_ACCOUNTS, type PersonalBalance, type Reserve } from './balance.ts';
import { RunningHash } from './running-hash.ts';
import { Ledger } from './ledger.ts';
import { hold, pay, payFromHeld, release } from './movements.ts';

interface NaiveBalance {
  readonly account: number;
  readonly wallet: Wallet;
  readonly asset: AssetId;
  free: bigint;
  readonly reserves: Record<Reserve, bigint>;
}

const heldOf = ({ reserves }: Pick<NaiveBalance, 'reserves'>): bigint => RESERVES.reduce((sum, reserve) => sum + reserves[reserve], 0n);

/** What the ledger is, in one list: balances that are not empty by account, asset and wallet. EXTERNAL is minus the sum of them. */
class NaiveLedger {
  readonly #balances = new Map<string, NaiveBalance>();

  of(account: number, wallet: Wallet, asset: AssetId): NaiveBalance {
    const key = `${account} ${wallet} ${asset}`;
    const before = this.#balances.get(key) ?? {
      account,
      wallet,
      asset,
      free: 0n,
      reserves: { orderMargin: 0n, positionMargin: 0n, withdrawalHold: 0n },
    };
    this.#balances.set(key, before);
    return before;
  }

  personal(): PersonalBalance[] {
    return [...this.#balances.values()]
      .map(({ reserves, ...rest }) => ({ ...rest, held: heldOf({ reserves }) }))
      .filter(({ free, held }) => free !== 0n || held !== 0n)
      .sort(
        (one, other) =>
          one.account - other.account || one.asset - other.asset || WALLETS.indexOf(one.wallet) - WALLETS.indexOf(other.wallet),
      )
      .map(({ account, free, held, ...rest }) => ({ ...rest, account: accountId(account), free: atoms(free), held: atoms(held) }));
  }
}

/** Around the ends of 64 bits, of 53 and of 128: where one way of keeping a number ends, and another begins. */
const AMOUNTS = [1n, 2n ** 31n, 2n ** 53n - 1n, 2n ** 62n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 64n, 10n ** 38n - 1n];

test('M1, M3: whatever is paid, held and released, the ledger is what one list says, for amounts of any length', () => {
  const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000));
  console.log(`ORRERY_SEED=${seed}`);
  const chance = new Chance(seed);
  const ledger = new Ledger();
  const naive = new NaiveLedger();
  const within = (most: bigint): Atoms => atoms(most === 0n || chance.oneIn(3) ? most : (most * BigInt(chance.below(1_000))) / 1_000n);
  for (let command = 0; command < 20_000; command += 1) {
    // Few accounts are met again and again; the others make the index grow.
    const account = accountId(1 + (chance.oneIn(2) ? chance.below(5) : chance.below(3_000)));
    const wallet = chance.pick(WALLETS);
    const asset = assetId(chance.pick([1, 2, 9, 255]));
    const balance = ledger.of(account, wallet, asset);
    const expected = naive.of(account, wallet, asset);
    const before = { free: expected.free, held: heldOf(expected) };
    const external = ledger.system('EXTERNAL', asset);
    const kind = chance.below(5);
    if (kind === 0) {
      const amount = atoms(chance.pick(AMOUNTS) + BigInt(chance.below(3)));
      pay(ledger, external, balance, amount);
      expected.free += amount;
    } else if (kind === 1) {
      const amount = within(expected.free);
      pay(ledger, balance, external, amount);
      expected.free -= amount;
    } else if (kind === 2) {
      const amount = within(expected.free);
      const reserve = chance.pick(RESERVES);
      hold(ledger, balance, reserve, amount);
      expected.free -= amount;
      expected.reserves[reserve] += amount;
    } else if (kind === 3) {
      const reserve = chance.pick(RESERVES);
      const amount = within(expected.reserves[reserve]);
      release(ledger, balance, reserve, amount);
      expected.free += amount;
      expected.reserves[reserve] -= amount;
    } else {
      const reserve = chance.pick(RESERVES);
      const amount = within(expected.reserves[reserve]);
      payFromHeld(ledger, balance, reserve, external, amount);
      expected.reserves[reserve] -= amount;
    }
    const events: Event[] = [];
    ledger.closeCommand(events, new RunningHash());
    const { free } = expected;
    const held = heldOf(expected);
    const isChanged = free !== before.free || held !== before.held;
    expect(events).toEqual(isChanged ? [{ type: 'BalanceChanged', account, wallet, asset, free, held }] : []);
    expect([ledger.free(balance), ledger.held(balance)]).toEqual([free, held]);
    for (const reserve of RESERVES) expect(ledger.reserved(balance, reserve)).toBe(expected.reserves[reserve]);
  }
  const personal = naive.personal();
  expect([...ledger.personal()]).toEqual(personal);
  for (const asset of [1, 2, 9, 255]) {
    const sum = personal.reduce((total, balance) => (balance.asset === asset ? total + balance.free + balance.held : total), 0n);
    expect(ledger.free(ledger.system('EXTERNAL', assetId(asset)))).toBe(negateAtoms(atoms(sum)));
  }
});

test('every balance of the exchange itself is its own, in every asset', () => {
  const ledger = new Ledger();
  const assets = [1, 2, 255].map(assetId);
  const made = assets.flatMap((asset) => SYSTEM_ACCOUNTS.map((account) => ({ account, asset, balance: ledger.system(account, asset) })));
  for (const [index, { balance }] of made.entries()) ledger.restore(balance, atoms(BigInt(index + 1)), atoms(0n));
  const emitted = SYSTEM_ACCOUNTS.flatMap((account) => [...ledger.systemOf(account)].map((balance) => ({ account, ...balance })));
  expect(emitted).toHaveLength(made.length);
  for (const [index, { account, asset }] of made.entries())
    expect(emitted).toContainEqual({ account, asset, free: BigInt(index + 1), held: 0n });
  expect([...ledger.personal()]).toEqual([]);
});
