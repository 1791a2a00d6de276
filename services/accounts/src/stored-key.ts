/** A key of the API as it is held in memory, and its forms outside. */
import type { ApiKey, MoneyRight, Permission, Principal, RateTier } from '@orrery/api';
import { type AccountId, accountId, type Address, addressOf, millis } from '@orrery/units';
import type { Selectable } from 'kysely';
import type { SecretBox } from './sealed-secret.ts';
import type { AccountsTables } from './tables.ts';

const FOR_EVER = millis(8_640_000_000_000_000);

export interface StoredKey {
  readonly accessKey: string;
  readonly account: AccountId;
  readonly address: Address;
  readonly permission: Permission;
  readonly tier: RateTier;
  readonly moneyRights: readonly MoneyRight[];
  /** Empty of a key that signs by Ed25519. */
  readonly secret: string;
  /** Of a key that signs by Ed25519: its 32 bytes in base64. */
  readonly publicKey: string | undefined;
  readonly legacySigning: boolean;
  readonly createdAt: number;
  label: string;
  ipList: readonly string[];
  enabled: boolean;
  lastUsedAt: number | undefined;
  endsAt: number | undefined;
  withdrawsFrom: number | undefined;
  /** The end that its owner chose when it was made; it outlives no change. */
  readonly chosenEnd: number | undefined;
  /** Its public record, the same object until it changes: callers cache what they derive from it. */
  found: FoundKey | undefined;
}

export interface FoundKey {
  readonly principal: Principal;
  readonly secret: string;
  readonly publicKey: string | undefined;
  readonly ipList: readonly string[];
  readonly legacySigning: boolean;
}

export function fromRow(row: Selectable<AccountsTables['accounts_api_key']>, { label, box }: { label: string; box: SecretBox }): StoredKey {
  return {
    accessKey: row.access_key,
    account: accountId(row.account),
    address: addressOf(row.address),
    permission: row.permission as Permission,
    tier: row.tier as RateTier,
    secret: box.open(row.sealed_secret, row.access_key),
    createdAt: row.created_at,
    label,
    ipList: row.ip_list,
    legacySigning: row.legacy_signing,
    moneyRights: row.money_rights as MoneyRight[],
    publicKey: row.public_key ?? undefined,
    withdrawsFrom: row.withdraws_from ?? undefined,
    chosenEnd: row.chosen_end ?? undefined,
    enabled: row.enabled,
    lastUsedAt: row.last_used_at ?? undefined,
    endsAt: row.ends_at ?? undefined,
    found: undefined,
  };
}

export const principalOf = (key: StoredKey): Principal => ({
  account: key.account,
  address: key.address,
  via: 'apiKey',
  credential: key.accessKey,
  permission: key.permission,
  moneyRights: key.moneyRights,
  tier: key.tier,
  endsAt: key.endsAt === undefined ? FOR_EVER : millis(key.endsAt),
});

export const describe = (key: StoredKey): ApiKey => ({
  accessKey: key.accessKey,
  label: key.label,
  permission: key.permission,
  moneyRights: [...key.moneyRights],
  publicKey: key.publicKey ?? null,
  ipList: [...key.ipList],
  legacySigning: key.legacySigning,
  enabled: key.enabled,
  createdTime: key.createdAt,
  lastUsedTime: key.lastUsedAt ?? null,
  endTime: key.endsAt ?? null,
  withdrawsFromTime: key.withdrawsFrom ?? null,
});
