import type { Wallet } from '@orrery/protocol';

/** Every way between two wallets is open but the one from futures to funding, which leads through spot. Coin futures have a way to spot alone. */
export function isTransferRoute(from: Wallet, to: Wallet): boolean {
  if (from === 'coinFutures') return to === 'spot';
  if (to === 'coinFutures') return from === 'spot';
  return !(from === 'futures' && to === 'funding');
}
