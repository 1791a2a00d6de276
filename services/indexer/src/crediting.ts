/** Final deposits become credits, exactly once: the heart identifies each by its key, so this may stop and restart anywhere. */
import type { Heart } from '@orrery/protocol';
import { atoms } from '@orrery/units';
import type { Kysely } from 'kysely';
import { lowerCase } from './chain-block.ts';
import { finalBlock } from './confirmations.ts';
import type { ListedTokens } from './listed-tokens.ts';
import type { DepositState, IndexerTables } from './tables.ts';

export interface CreditingOptions {
  readonly sql: Kysely<IndexerTables>;
  readonly heart: Heart;
  readonly tokens: ListedTokens;
  readonly required: number;
  readonly onTrouble: (error: Error) => void;
}

interface PendingDeposit {
  readonly key: string;
  readonly address: string;
  readonly token: string;
  readonly amount: string;
}

export class Crediting {
  readonly #options: CreditingOptions;

  constructor(options: CreditingOptions) {
    this.#options = options;
  }

  async credit(head: number): Promise<void> {
    for (const deposit of await this.#final(head).execute()) await this.#settle(deposit);
  }

  /** While deposits are halted: only those that were credited before and are on the chain again. */
  async creditReturned(head: number): Promise<void> {
    const orphans = this.#options.sql.selectFrom('indexer_orphan').select('key').where('settled_at', 'is', null);
    for (const deposit of await this.#final(head).where('key', 'in', orphans).execute()) await this.#settle(deposit);
  }

  #final(head: number) {
    const { sql, required } = this.#options;
    return sql
      .selectFrom('indexer_deposit')
      .select(['key', 'address', 'token', 'amount'])
      .where('state', '=', 'pending')
      .where('block_number', '<=', finalBlock(head, required))
      .orderBy('block_number')
      .orderBy('key');
  }

  async #settle(deposit: PendingDeposit): Promise<void> {
    const state = await this.#submit(deposit);
    await this.#options.sql.updateTable('indexer_deposit').set({ state }).where('key', '=', deposit.key).execute();
  }

  async #submit({ key, address, token, amount }: PendingDeposit): Promise<DepositState> {
    const { heart, tokens, onTrouble } = this.#options;
    const listed = tokens.at(token);
    if (listed === undefined) {
      onTrouble(new Error(`deposit ${key} is of ${token}, which is not an asset of the exchange`));
      return 'refused';
    }
    const { events } = await heart.submit({
      type: 'CreditDeposit',
      key,
      address: lowerCase(address),
      asset: listed.asset,
      amount: atoms(BigInt(amount)),
    });
    for (const event of events) {
      if (event.type === 'DepositCredited') return event.suspended ? 'suspended' : 'credited';
      if (event.type === 'CommandRepeated') return 'credited';
      if (event.type === 'CommandRejected') {
        onTrouble(new Error(`deposit ${key} was refused: ${event.reason}`));
        return 'refused';
      }
    }
    throw new Error(`the heart said nothing about deposit ${key}`);
  }
}
