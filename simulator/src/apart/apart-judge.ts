/** What must hold of money that moves between two hearts, by what both have synced alone. */
import type { DepositCredited, Event, WithdrawalHeld } from '@orrery/protocol';
import type { AssetId, Atoms } from '@orrery/units';
import { decodeSnapshot } from '../../../core/engine/src/snapshot/snapshot-codec.ts';
import { Violation } from '../violation.ts';
import type { ApartHeart } from './apart-heart.ts';

/** Of the credit that is the second half of the transfer. */
export const CREDIT_PREFIX = 'transit:';

interface Half<Event> {
  /** The name of the heart. */
  readonly heart: string;
  readonly event: Event;
}

export class ApartJudge {
  readonly #debits = new Map<string, Half<WithdrawalHeld>>();
  readonly #credits = new Map<string, Half<DepositCredited>>();
  readonly #settled = new Set<string>();

  /** In the order in which they were synced. @param heart the name of the one that has synced it */
  hear(heart: string, event: Event): void {
    if (event.type === 'WithdrawalHeld') this.#debits.set(event.withdrawalId, { heart, event });
    if (event.type === 'DepositCredited' && event.key.startsWith(CREDIT_PREFIX)) this.#credit({ heart, event });
    if (event.type === 'WithdrawalPosted') this.#settle(event.withdrawalId);
    if (event.type === 'WithdrawalRefunded' && this.#credits.has(event.withdrawalId))
      throw new Violation('M7', `${event.withdrawalId} has arrived, and is given back too`);
  }

  /** How many were asked for, and how many arrived. */
  get counts(): { readonly debits: number; readonly credits: number } {
    return { debits: this.#debits.size, credits: this.#credits.size };
  }

  /** At the end, when nothing fails any more. */
  checkAllArrived(): void {
    for (const id of this.#debits.keys()) {
      if (!this.#credits.has(id)) throw new Violation('M7', `the money of ${id} has left one heart and arrived at none`);
      if (!this.#settled.has(id)) throw new Violation('M7', `${id} is not settled`);
    }
  }

  /** What accounts have at both hearts, with what is on its way, is what came in from outside. Both are synced. */
  checkSum(hearts: readonly ApartHeart[], fromOutside: ReadonlyMap<AssetId, Atoms>): void {
    for (const { name, engine } of hearts) {
      const wrong = engine.imbalance();
      if (wrong !== undefined) throw new Violation('M1', `${name}: ${wrong}`);
    }
    for (const [asset, wanted] of fromOutside) {
      const held = hearts.reduce((sum, heart) => sum + owed(heart, asset), 0n);
      // Credited at one heart, and not settled at the other: there twice until it is.
      const twice = [...this.#credits].reduce(
        (sum, [id, { event }]) => (event.asset === asset && !this.#settled.has(id) ? sum + event.amount : sum),
        0n,
      );
      if (held - twice !== wanted) throw new Violation('M7', `both hearts owe ${held - twice} of asset ${asset}, and ${wanted} came in`);
    }
  }

  #credit(credit: Half<DepositCredited>): void {
    const [id = ''] = credit.event.key.slice(CREDIT_PREFIX.length).split('/');
    const debit = this.#debits.get(id);
    if (debit === undefined) throw new Violation('M7', `${id} has arrived, and has never left`);
    const before = this.#credits.get(id)?.event;
    // What waited in suspense is credited again when it leaves there, under the same key.
    const isRelease = before?.suspended === true && before.key === credit.event.key;
    if (before !== undefined && !isRelease) throw new Violation('M7', `${id} has arrived twice`);
    if (debit.heart === credit.heart) throw new Violation('M7', `${id} has arrived where it left`);
    // Everybody has the same number at both hearts.
    const [left, arrived] = [debit.event, credit.event];
    if (left.asset !== arrived.asset || left.amount !== arrived.amount || left.account !== arrived.account)
      throw new Violation('M7', `${id} has arrived as another amount, or at another account`);
    this.#credits.set(id, credit);
  }

  #settle(id: string): void {
    if (!this.#credits.has(id)) throw new Violation('M7', `${id} is settled, and has not arrived`);
    this.#settled.add(id);
  }
}

/** To accounts and as its own: what has come in less what has gone out. */
function owed({ engine }: ApartHeart, asset: AssetId): bigint {
  const external = decodeSnapshot(engine.encodeState()).systemBalances.find(
    (balance) => balance.system === 'EXTERNAL' && balance.asset === asset,
  );
  return external === undefined ? 0n : -(external.free + external.held);
}
