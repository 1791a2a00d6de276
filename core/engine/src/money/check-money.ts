/** Checks that the money commands share. */
import { NO_ATOMS, type AssetId, type Atoms } from '@orrery/units';
import type { CommandRejected } from '@orrery/protocol';
import { AMOUNT_MAX, reject } from '@orrery/rules';
import type { Exchange } from '../state/exchange.ts';

const KEY_LENGTH_MAX = 200;

export function checkKey(key: string, field: string): CommandRejected | undefined {
  return key === '' || key.length > KEY_LENGTH_MAX ? reject('InvalidField', field) : undefined;
}

export function checkAmount(amount: Atoms): CommandRejected | undefined {
  return amount <= NO_ATOMS || amount > AMOUNT_MAX ? reject('InvalidAmount', 'amount') : undefined;
}

/** Internal assets exist in the ledger only: they are not moved between wallets and never leave. */
export function checkChainAsset(exchange: Exchange, id: AssetId): CommandRejected | undefined {
  return exchange.assets.get(id)?.kind === 'internal' ? reject('InvalidCombination', 'asset') : undefined;
}

export function unknownAsset(exchange: Exchange, id: AssetId): CommandRejected | undefined {
  return exchange.assets.has(id) ? undefined : reject('UnknownAsset', 'asset');
}
