/** What the service needs of others. */
import type { AssistPrice, PasskeyAnswer, Principal, SentFile, StoredFile } from '@orrery/api';
import type { AccountId, Address } from '@orrery/units';

/** What is kept of a person is encrypted under a key of the person's own, which an erasure destroys. */
export interface PersonKeysPort {
  encrypt(account: AccountId, bytes: Uint8Array, what: string): Promise<Buffer>;
  /** Undefined where the key is erased. */
  decrypt(account: AccountId, encrypted: Buffer, what: string): Promise<Buffer | undefined>;
}

/** Files by the rules of those that people hand in; they are in no list of files and count for none of its limits. */
export interface ReceiptFilesPort {
  /** @throws ApiError FileRefused with the reason. */
  take(account: AccountId, sent: SentFile): Promise<StoredFile>;
  /** @param reviewer the number of the operator for whom it is: images have it across them. @throws ApiError UnknownThing */
  link(account: AccountId, fileId: string, reviewer?: string): Promise<{ url: string; expiresTime: number }>;
  remove(account: AccountId, fileId: string): Promise<void>;
}

export interface GivenProof {
  readonly google?: string | undefined;
  readonly passkey?: PasskeyAnswer | undefined;
  readonly nonce?: string | undefined;
  readonly message?: string | undefined;
  readonly signature?: string | undefined;
}

/** What a release is signed over. */
export interface ReleaseTerms {
  readonly orderId: string;
  readonly amount: string;
  readonly coin: string;
  /** The trader id of the buyer. */
  readonly buyer: string;
}

export interface ProofPort {
  /** The second factor where one is bound, else the wallet over exactly this release. @throws ApiError */
  checkRelease(release: { principal: Principal; origin: string; given: GivenProof; terms: ReleaseTerms }): Promise<void>;
  /** The second factor where one is bound. @throws ApiError */
  checkChange(change: { principal: Principal; origin: string; given: GivenProof }): Promise<void>;
}

export interface IdentityPort {
  isVerified(account: AccountId): boolean;
  /** Null unless an identity is approved. */
  realNameOf(account: AccountId): Promise<string | null>;
}

/** Who reads what everybody may read. */
export interface SessionPort {
  /** Undefined where the token is of no session that is live. */
  accountOf(token: string): AccountId | undefined;
}

/** E-mails: without an address of the account nothing is sent. */
export interface LetterPort {
  send(account: AccountId, letter: { readonly subject: string; readonly text: string }): void;
}

export interface ClusterPort {
  /** The accounts of one's cluster, oneself among them. */
  membersOf(account: AccountId): Promise<readonly AccountId[]>;
}

/** What coins are worth outside, with the age of each price. */
export type AssistPort = () => readonly AssistPrice[];

export interface PersonOnRecord {
  readonly account: AccountId;
  readonly address: Address;
}
