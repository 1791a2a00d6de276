/** A link by which a wallet on a phone calls the vault (EIP-681). */
import type { DepositAddress } from '@orrery/api';

/**
 * The native coin goes in by one call, of which the wallet asks the amount: it names who is credited. A plain transfer would be credited to
 * nobody. A token takes two calls, which no link holds: undefined.
 */
export function depositLink(where: Pick<DepositAddress, 'account' | 'chainId' | 'coinType'>, owner: string): string | undefined {
  return where.coinType === 'NATIVE' ? `ethereum:${where.account}@${where.chainId}/depositNative?address=${owner}` : undefined;
}
