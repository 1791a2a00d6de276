/** The role ids of the contracts, as AccessControl knows them. */
import { keccak256, toBytes, type Hex } from 'viem';

export type RoleName = 'OPERATOR_ROLE' | 'PAUSER_ROLE' | 'LISTER_ROLE' | 'MINTER_ROLE';

export function role(name: RoleName): Hex {
  return keccak256(toBytes(name));
}
