/** The role ids of the contracts, as AccessControl knows them. */
import { keccak256, toBytes, type Hex } from 'viem';

const NAMES = ['OPERATOR_ROLE', 'PAUSER_ROLE', 'LISTER_ROLE', 'MINTER_ROLE'] as const;

export type RoleName = (typeof NAMES)[number];

/** The role of those who grant roles. */
const ADMIN_ROLE = `0x${'0'.repeat(64)}`;

export function role(name: RoleName): Hex {
  return keccak256(toBytes(name));
}

/** The name of a role by its id; the id itself when it is none of ours. */
export function roleName(id: string): string {
  if (id === ADMIN_ROLE) return 'DEFAULT_ADMIN_ROLE';
  return NAMES.find((name) => role(name) === id) ?? id;
}
