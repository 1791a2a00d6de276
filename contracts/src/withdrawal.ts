/** What the operator signs so that the vault pays a withdrawal: the EIP-712 message of `ExchangeVault.release`. */
import type { Address, Hex, TypedDataDefinition } from 'viem';

/** In place of a token: pays in the chain's own coin. */
export const NATIVE_TOKEN = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE' satisfies Address;

export interface Withdrawal {
  /** 32 bytes, used once. */
  readonly id: Hex;
  readonly token: Address;
  readonly to: Address;
  readonly amount: bigint;
  /** The last second (chain time) at which it can be paid. */
  readonly deadline: bigint;
}

const TYPES = {
  Withdrawal: [
    { name: 'id', type: 'bytes32' },
    { name: 'token', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const;

export function withdrawalTypedData(options: {
  readonly chainId: number;
  readonly vault: Address;
  readonly withdrawal: Withdrawal;
}): TypedDataDefinition<typeof TYPES, 'Withdrawal'> {
  return {
    domain: { name: 'Orrery Vault', version: '1', chainId: options.chainId, verifyingContract: options.vault },
    types: TYPES,
    primaryType: 'Withdrawal',
    message: { ...options.withdrawal },
  };
}
