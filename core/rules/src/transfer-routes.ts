import type { Wallet } from '@orrery/protocol';

/** Every way between two wallets is open but the one from futures to funding: it leads through spot. */
export function isTransferRoute(from: Wallet, to: Wallet): boolean {
  return !(from === 'futures' && to === 'funding');
}
