/** What a client reads must have been true at some command that is not older than the newest it knows of (R9). */
import { WALLETS, type Wallet } from '@orrery/protocol';
import { ASSETS } from '@orrery/exchange/listing';
import { parseAtoms, type AccountId } from '@orrery/units';
import type { Witness } from '../oracle/witness.ts';
import { Violation } from '../violation.ts';

interface Read {
  readonly witness: Witness;
  readonly account: AccountId;
  readonly minSeq: number;
}

export function checkBalances(data: unknown, read: Read): void {
  if (!Array.isArray(data)) throw new Violation('R9', 'balances are a list');
  for (const item of data) checkBalance(item, read);
}

function checkBalance(item: unknown, { witness, account, minSeq }: Read): void {
  const { coin, wallet, free, held } = fieldsOf(item);
  const asset = ASSETS.find(({ code }) => code === coin);
  if (asset === undefined) throw new Violation('R9', `a balance of ${coin}, which is no asset`);
  const [freeAtoms, heldAtoms] = [parseAtoms(free, asset.decimals), parseAtoms(held, asset.decimals)];
  const states = witness.balancesOf({ account, wallet, asset: asset.asset });
  const firstLater = states.findIndex(({ seq }) => seq > minSeq);
  const possible = firstLater === -1 ? states.slice(-1) : states.slice(Math.max(0, firstLater - 1));
  const neverMoved = firstLater <= 0 && (states.length === 0 || firstLater === 0);
  const isTrue =
    possible.some((state) => state.free === freeAtoms && state.held === heldAtoms) || (neverMoved && freeAtoms === 0n && heldAtoms === 0n);
  if (!isTrue)
    throw new Violation(
      'R9',
      `account ${account} was reported ${free} free and ${held} held of ${coin} in ${wallet}, after command ${minSeq}`,
    );
}

function fieldsOf(item: unknown): { coin: string; wallet: Wallet; free: string; held: string } {
  const field = (name: string): string => {
    const value: unknown = typeof item === 'object' && item !== null ? Reflect.get(item, name) : undefined;
    if (typeof value !== 'string') throw new Violation('R9', `a balance without ${name}`);
    return value;
  };
  const wallet = WALLETS.find((name) => name === field('balanceType'));
  if (wallet === undefined) throw new Violation('R9', 'a balance of no wallet');
  return { coin: field('coin'), wallet, free: field('availableBalance'), held: field('freeze') };
}
