/** Addresses that may not take part: the engine says who they are, this remembers which operator said so and why. */
import { ApiError, type BlockedAddress } from '@orrery/api';
import { openAccount, setAccountFlag } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import { addressOf, type Address } from '@orrery/units';
import type { PageOf, Slice } from './ports.ts';
import type { OperatorsDb, OperatorsTx } from './tables.ts';

interface Block {
  readonly address: Address;
  readonly operator: string;
  readonly reason: string;
  readonly at: number;
}

export class Blocking {
  readonly #db: OperatorsDb;
  readonly #heart: Heart;
  /** By the installation: every start blocks them again. */
  readonly #listed: ReadonlySet<Address>;

  constructor(parts: { db: OperatorsDb; heart: Heart; listed: readonly string[] }) {
    this.#db = parts.db;
    this.#heart = parts.heart;
    this.#listed = new Set(parts.listed.map(addressOf));
  }

  /** Newest first, those of the installation last. */
  async page({ page, size }: Slice): Promise<PageOf<BlockedAddress>> {
    const rows = await this.#db.selectFrom('operators_block').selectAll().orderBy('at', 'desc').orderBy('address').execute();
    const all: BlockedAddress[] = [
      ...rows.map(({ address, operator, reason, at }) => ({ address, listed: false, blockedBy: operator, reason, at })),
      ...[...this.#listed].map((address) => ({ address, listed: true, blockedBy: null, reason: '', at: null })),
    ];
    return { list: all.slice((page - 1) * size, page * size), total: all.length };
  }

  async add(tx: OperatorsTx, block: Block): Promise<void> {
    if (this.#listed.has(block.address)) throw new ApiError('AlreadyThere', { field: 'address' });
    const added = await tx
      .insertInto('operators_block')
      .values(block)
      .onConflict((conflict) => conflict.doNothing())
      .returning('address')
      .executeTakeFirst();
    if (added === undefined) throw new ApiError('AlreadyThere', { field: 'address' });
  }

  async remove(tx: OperatorsTx, address: Address): Promise<void> {
    if (this.#listed.has(address))
      throw new ApiError('MalformedField', { field: 'address', message: 'address is blocked by the installation, not by operators' });
    const removed = await tx.deleteFrom('operators_block').where('address', '=', address).returning('address').executeTakeFirst();
    if (removed === undefined) throw new ApiError('UnknownThing', { field: 'address' });
  }

  /** Who has no account yet gets one, so that it is blocked from its first moment. */
  async set(address: Address, value: boolean): Promise<void> {
    const { account } = await openAccount(this.#heart, address);
    await setAccountFlag(this.#heart, { account, flag: 'blocked', value });
  }
}
