/** The tables of this service. Times are unix milliseconds; secrets are there as hashes or sealed, never as they are. */
import type { WalletTicketUse } from '@orrery/api';
import type { Generated } from 'kysely';

/** A ticket for this use, or a try of the passphrase. */
export type WalletTryKind = WalletTicketUse | 'passphrase';

export interface AccountsTables {
  accounts_nonce: {
    nonce: string;
    address: string;
    purpose: string;
    origin: string;
    browser_hash: string;
    expires_at: number;
    id: Generated<number>;
  };
  accounts_session: {
    session_id: string;
    account: number;
    address: string;
    created_at: number;
    last_seen_at: number;
    ends_at: number;
    /** The browser and the network address, encrypted under the key of the person. */
    sealed_place: Buffer | null;
    revoked_at: number | null;
  };
  accounts_access_token: { hash: string; session_id: string; expires_at: number };
  accounts_refresh_token: { hash: string; session_id: string; created_at: number; used_at: number | null };
  accounts_agreement: {
    account: number;
    address: string;
    terms_code: string;
    terms_version: string;
    terms_hash: string;
    message: string;
    signature: string;
    agreed_at: number;
  };
  accounts_api_key: {
    access_key: string;
    account: number;
    address: string;
    /** Empty, but in rows of before there was a key per person until the next start. */
    label: string;
    /** Under the key of the person. */
    sealed_label: Buffer | null;
    permission: string;
    tier: string;
    ip_list: string[];
    legacy_signing: boolean;
    enabled: boolean;
    sealed_secret: Buffer;
    created_at: number;
    last_used_at: number | null;
    ends_at: number | null;
    money_rights: string[];
    public_key: string | null;
    withdraws_from: number | null;
    chosen_end: number | null;
  };
  /** `mark` is a keyed hash: see `traces.ts`. */
  accounts_trace: { account: number; kind: string; mark: string; seen_at: number };
  /** What `login-record.ts` shows. `device` and `ip` are empty, but in rows of before there was a key per person until the next start. */
  accounts_login: {
    id: Generated<number>;
    account: number;
    at: number;
    way: string;
    result: string;
    device: string;
    ip: string;
    new_device: boolean;
    /** The browser and the masked address, encrypted under the key of the person. */
    sealed_place: Buffer | null;
  };
  /** `sealed_secret` of the app that is bound, `pending_secret` of one that may be. `last_step`: no code of it or before is taken. */
  accounts_totp: {
    account: number;
    sealed_secret: Buffer | null;
    bound_at: number | null;
    last_step: number;
    pending_secret: Buffer | null;
    pending_until: number | null;
    under_person_key: boolean;
  };
  accounts_wrong_code: { account: number; at: number };
  accounts_backup_code: { account: number; salt: Buffer; hash: Buffer };
  accounts_passkey: {
    credential_id: string;
    account: number;
    public_key: string;
    counter: number;
    site: string;
    sealed_name: Buffer;
    created_at: number;
    last_used_at: number | null;
  };
  accounts_passkey_challenge: { purpose_hash: string; hash: string; expires_at: number };
  accounts_hold: { account: number; until: number };
  accounts_pending_login: { hash: string; browser_hash: string; address: string; way: string; expires_at: number };
  /** `mark`: keyed hash of the name, see `names/names.ts`. `sealed` by the master key until the next start where not `under_person_key`. */
  accounts_name: {
    mark: string;
    account: number;
    kind: string;
    sealed: Buffer;
    /** Null, but in rows of before it was encrypted with the number. */
    tel_country_code: string | null;
    bound_at: number;
    under_person_key: boolean;
  };
  /** Opened by a name. */
  accounts_without_wallet: { account: number };
  accounts_password: { account: number; salt: Buffer; hash: Buffer; changed_at: number };
  accounts_password_try: { id: Generated<number>; mark: string; network: string; at: number };
  /** The newest code of a name for a purpose. */
  accounts_code: { purpose: string; mark: string; hash: string; browser_hash: string; expires_at: number; tries: number };
  /** `known`: the name was somebody's. */
  accounts_code_sent: { mark: string; network: string; at: number; known: Generated<boolean> };
  /** Tries of one wallet in the last days: what it gives out is counted where no restart forgets it. */
  accounts_wallet_try: { account: number; kind: WalletTryKind; at: number };
  /** Tickets of the signing page that were given and not used, each for ten minutes. */
  accounts_wallet_ticket: { hash: string; account: number; credential: string; use: WalletTicketUse; issued_at: number };
  accounts_wrong_name_code: { mark: string; at: number };
  /** Answers that were taken. */
  accounts_captcha: { id: string; expires_at: number };
  accounts_code_alarm: { id: number; until: number };
  /** Of all processes, by the beginning of ten seconds, unix milliseconds. */
  accounts_wrong_codes: { at: number; codes: number };
  accounts_withdraw_address: {
    account: number;
    address: string;
    /** Empty, but in rows of before there was a key per person until the next start. */
    label: string;
    /** Under the key of the person. */
    sealed_label: Buffer | null;
    created_at: number;
    usable_at: number;
    id: Generated<number>;
  };
  /** Of before keys were wrapped: emptied by the next start. */
  accounts_person_key: { account: number; sealed: Buffer };
  /** 0 wraps nothing and seals the secrets of the service; the others wrap keys of persons. `master`: the id of the master key that wraps it. */
  accounts_wrapping_key: { generation: number; wrapped: Buffer; master: string };
  /** `mark`: the first bytes of all that is encrypted under it. Those that are not current are from files of several processes. */
  accounts_wrapped_person_key: { account: number; mark: Buffer; wrapped: Buffer; generation: number; is_current: boolean };
  /** SHA-256 of files of keys that are in SQL. */
  accounts_taken_over: { hash: string };
  /** What is in the store of files. */
  accounts_file: { file_id: string; account: number; type: string; bytes: number; created_at: number; purpose: Generated<string> };
  /** `sealed`: what it says, encrypted under the key of the person; `file_ids` of `accounts_file`. */
  accounts_identity: {
    account: number;
    state: string;
    sealed: Buffer;
    file_ids: string[];
    back_reason: string | null;
    handed_in_at: number;
    decided_at: number | null;
  };
  accounts_identity_try: { account: number; kind: string; at: number };
  /** `opened_from`: the account without a wallet from which its name moved. The key is in none of these columns. */
  accounts_embedded_wallet: {
    account: number;
    opened_from: number;
    sealed_share: Buffer;
    sealed_recovery: Buffer;
    device_hash: string;
    created_at: number;
    renewed_at: number;
    under_person_key: boolean;
  };
  accounts_collection: { account: number; kind: string; symbol: string; id: Generated<number> };
  /** The pair by which push services know the exchange: one row. */
  accounts_push_key: { id: number; public_key: string; sealed_private: Buffer };
  /** Browsers that get push messages. `mark`: keyed hash of where they go; `sealed_target`: that, under the key of the person. */
  accounts_push: {
    session_id: string;
    account: number;
    mark: string;
    sealed_target: Buffer;
    categories: string[];
    show_amounts: boolean;
    created_at: number;
  };
  /** Accounts that wait to be deleted; `abandon`: with what they still have. */
  accounts_erasure: { account: number; asked_by: 'OWNER' | 'OPERATORS'; asked_at: number; due_at: number; abandon: boolean };
}
