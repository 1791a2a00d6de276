/** The service put together: who people are. */
import { join } from 'node:path';
import {
  agreementRoutes,
  analyticsRoutes,
  apiKeyRoutes,
  authRoutes,
  captchaRoutes,
  collectionRoutes,
  erasureRoutes,
  fileRoutes,
  futuresCollectionRoutes,
  identityRoutes,
  loginRoutes,
  mailboxRoutes,
  nameRoutes,
  passkeyRoutes,
  pushRoutes,
  securityRoutes,
  sessionRoutes,
  type TableHandlers,
  walletRoutes,
  withdrawAddressRoutes,
} from '@orrery/api';
import {
  AccountDirectory,
  type Changes,
  CopyKeeper,
  type Lease,
  type LeasePort,
  type Peers,
  type RowCopy,
  whileHeld,
} from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import { type AccountId, accountId, type Address } from '@orrery/units';
import { AddressBook } from './address-book.ts';
import { addressBookHandlers } from './address-book-handlers.ts';
import { Agreements, type Terms } from './agreements.ts';
import { analyticsHandlers } from './analytics-id.ts';
import { ApiKeys } from './api-keys.ts';
import { AccountAuthenticator, Revocations } from './authenticator.ts';
import { BlockedAddresses } from './blocked.ts';
import { CaptchaGate } from './captcha-gate.ts';
import { Captcha } from './captcha/captcha.ts';
import type { GeetestSite } from './captcha/geetest.ts';
import type { CounterRange } from './captcha/proof-of-work.ts';
import { Collections } from './collections.ts';
import { EmbeddedWallets } from './embedded-wallets.ts';
import { EndedFile } from './ended-file.ts';
import { SharedEndings } from './ended-news.ts';
import { Erasures } from './erasures.ts';
import { type ErasureDesk, erasureDesk } from './erasure-desk.ts';
import { erasureHandlers } from './erasure-handlers.ts';
import {
  agreementHandlers,
  apiKeyHandlers,
  authHandlers,
  collectionHandlers,
  futuresCollectionHandlers,
  loginHandlers,
  type Parts,
  sessionHandlers,
} from './handlers.ts';
import { Factors } from './factors/factors.ts';
import { fileHandlers } from './files/file-handlers.ts';
import type { FileStore } from './files/file-store.ts';
import { Files } from './files/files.ts';
import { ORPHAN_AGE_MS, removeOrphans } from './files/orphans.ts';
import type { PersonKeys } from './person-keys.ts';
import { Identities } from './identity/identities.ts';
import { IdentityReview } from './identity/identity-review.ts';
import { identityHandlers } from './identity/identity-handlers.ts';
import { InviteCodes } from './invite-codes.ts';
import { Login } from './login.ts';
import { LoginRecords } from './login-record.ts';
import { mailboxHandlers } from './mail/mailbox-handlers.ts';
import type { MailboxReader, Posts } from './mail/message.ts';
import { Outbox } from './mail/outbox.ts';
import { type KeySources, openKeys } from './open-keys.ts';
import { NameAccounts } from './name-accounts.ts';
import { captchaHandlers, nameHandlers } from './name-handlers.ts';
import { CodeAlarm } from './code-alarm.ts';
import { Codes } from './names/codes.ts';
import { newsLetter } from './names/letters.ts';
import { Names } from './names/names.ts';
import { Notices } from './names/notices.ts';
import { Passwords } from './names/passwords.ts';
import { Nonces } from './nonces.ts';
import { PassphraseStretch } from './passphrase-stretch.ts';
import { passkeyHandlers } from './passkey-handlers.ts';
import { Proofs } from './proof.ts';
import type { SecretBox } from './sealed-secret.ts';
import { Push } from './push/push.ts';
import { pushHandlers } from './push/push-handlers.ts';
import type { PushServices } from './push/push-services.ts';
import { Subscriptions } from './push/subscriptions.ts';
import { openVapidKeys } from './push/vapid-keys.ts';
import { securityHandlers } from './security-handlers.ts';
import { SessionStore } from './session-store.ts';
import { Sessions } from './sessions.ts';
import type { ChainReader } from './signature.ts';
import { Signers } from './signers.ts';
import { Traces } from './traces.ts';
import { migrations } from './migrations.ts';
import type { AccountsTables } from './tables.ts';
import { sweepAll, writeWaiting } from './sweep-all.ts';
import { walletHandlers } from './wallet-handlers.ts';

const SWEEP_MS = 15_000;
/** In the data folder. */
const ENDED_FILE = 'ended-credentials';
const PUSH_KEYS_FILE = 'push-keys';

const routes = {
  auth: authRoutes,
  session: sessionRoutes,
  login: loginRoutes,
  analytics: analyticsRoutes,
  security: securityRoutes,
  passkey: passkeyRoutes,
  captcha: captchaRoutes,
  name: nameRoutes,
  erasure: erasureRoutes,
  mailbox: mailboxRoutes,
  wallet: walletRoutes,
  addressBook: withdrawAddressRoutes,
  file: fileRoutes,
  push: pushRoutes,
  identity: identityRoutes,
  agreement: agreementRoutes,
  apiKey: apiKeyRoutes,
  collection: collectionRoutes,
  futuresCollection: futuresCollectionRoutes,
};

export interface AccountsOptions extends KeySources {
  readonly heart: Heart;
  /** What other processes change in the same database; undefined: this one is alone on it. */
  readonly changes?: Changes | undefined;
  /** The processes that share the database; undefined: nothing of it is heard where the database is away. */
  readonly peers?: Peers | undefined;
  readonly chain: ChainReader;
  readonly chainId: number;
  readonly blockedAddresses: readonly string[];
  /** What each contract of the exchange is, in words: no withdrawal goes there. */
  readonly contracts: ReadonlyMap<Address, string>;
  /** Milliseconds from the entry of an address in the address book to the first withdrawal to it. */
  readonly addressWaitMs: number;
  /** Milliseconds from a change of the security of an account to its next withdrawal. */
  readonly withdrawalHoldMs: number;
  /** Milliseconds from the wish to delete an account to its deletion. */
  readonly erasureWaitMs: number;
  readonly terms: Terms;
  readonly posts: Posts;
  readonly fileStore: FileStore;
  /** Where push messages go, and how a push service reaches whom runs the exchange. */
  readonly push: { readonly services: PushServices; readonly subject: string };
  /** Of all processes on the database one erases. */
  readonly leases: LeasePort;
  /** Of GeeTest, where its captcha is shown in place of the proof of work. */
  readonly geetest?: GeetestSite | undefined;
  /** For tests of something else: a proof of work that takes fewer derivations. */
  readonly captchaCounters?: CounterRange | undefined;
  /** Where there is one: its call is answered from it. */
  readonly mailbox: MailboxReader | undefined;
  /** Of all that waits, counts or expires: no jump of the wall clock moves it far. */
  readonly now: () => number;
  /** What others have signed may go by it, codes of an app too, and sessions end by it: a machine that slept keeps nobody signed in. */
  readonly wallMs: () => number;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
  /** What could not be written and is tried again. */
  readonly onTrouble: (error: unknown) => void;
}

export interface Accounts {
  readonly authenticator: AccountAuthenticator;
  readonly handlers: TableHandlers<typeof routes>;
  readonly directory: AccountDirectory;
  /** From which networks and devices accounts were used, as marks. */
  readonly traces: Pick<Traces, 'all'>;
  /** Identities, as operators work with them. */
  readonly identities: IdentityReview;
  /** Seals what others must keep readable for themselves only, such as e-mails. */
  readonly box: SecretBox;
  /** What others keep of a person is encrypted under the key of the person. */
  readonly keys: PersonKeys;
  /** Deletions of accounts; none is done before `begin`. */
  readonly erasures: Erasures;
  /** The same, as operators decide them. */
  readonly erasureDesk: ErasureDesk;
  /** Where the invite code of an account is from. */
  readonly inviteCodes: Pick<InviteCodes, 'use'>;
  readonly codeAlarm: Pick<CodeAlarm, 'note' | 'isOn'>;
  readonly push: Pick<Push, 'announce' | 'wants' | 'accountsWanting' | 'settled'>;
  /** By the rules of what people hand in, for another service. */
  readonly files: Pick<Files, 'take' | 'link' | 'drop'>;
  /** Whether an identity is approved, and whose it is. */
  readonly realNames: Pick<Identities, 'levelsOf' | 'realNameOf'>;
  /** E-mails of other services; without an address of the account nothing is sent. */
  readonly letters: { send(account: AccountId, letter: { subject: string; text: string }): void };
  /** For keys of our own programs, such as the market-maker's. */
  readonly apiKeys: ApiKeys;
  /** Writes pending rows and evicts expired ones; also runs automatically every few seconds. */
  sweep(): Promise<void>;
  /** Resolves when what was heard of the changes of other processes is read. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** The tables must be there: see `migrations`. */
export async function openAccounts(options: AccountsOptions): Promise<Accounts> {
  const { heart, db, chain, chainId, now, wallMs, monotonicMs } = options;
  const directory = new AccountDirectory(heart);
  const blocked = new BlockedAddresses({ listed: options.blockedAddresses, directory });
  const revocations = new Revocations();
  const onEnded = (credential: string): void => revocations.report(credential);
  const { box, keys } = await openKeys(options);
  const endedFile = await EndedFile.open(join(options.dataFolder, ENDED_FILE));
  const isShared = options.changes !== undefined;
  const sessions = new Sessions({ store: new SessionStore({ db, keys }), endedFile, now: wallMs, monotonicMs, onEnded, isShared });
  const apiKeys = new ApiKeys({ db, box, persons: keys, endedFile, now, onEnded, isShared });
  const traces = new Traces({ db, key: box.keyFor('traces'), now });
  const alarm = new CodeAlarm({ db, now, onTrouble: options.onTrouble, isShared });
  const factors = new Factors({ db, keys, now, wallMs, alarm, holdMs: options.withdrawalHoldMs });
  const push = await openPush(options, { sessions, keys, box, revocations });
  const outbox = new Outbox({ posts: options.posts, mailbox: options.mailbox, onTrouble: options.onTrouble });
  const signers = new Signers();
  const nonces = new Nonces({ db, now });
  const proofs = new Proofs({ nonces, blocked, signers, chain, chainId, now, wallMs });
  const base = { directory, blocked, nonces, proofs, sessions, apiKeys, inviteCodes: new InviteCodes(), traces, factors, push };
  const parts: Parts = { ...base, ...openIdentity(base, { options, box, keys, outbox, signers, now, alarm }) };
  directory.onBlocked(({ account }) => {
    apiKeys.endAll(account);
    sessions.endAll(account).catch(options.onTrouble);
  });
  // Heard before anything is read: what changes meanwhile is read again.
  const copies = openCopies(options, { parts, alarm, keys });
  const endings = options.peers && new SharedEndings({ ...options, peers: options.peers, file: endedFile, sessions, apiKeys });
  await sessions.load(heart.status().at);
  await loadAll(parts, alarm);

  directory.start();
  await blocked.reportEngine();
  // What stands in the memory of a process is its own to sweep; people and files are erased by one of all processes.
  const lease = await options.leases.open('erasures');
  const sweep = (): Promise<void> => sweepAll({ ...parts, lease, endings }, options.onTrouble);
  const endSweeping = repeatSweep({ sweep, lease }, options);
  return {
    authenticator: new AccountAuthenticator({ ...base, addressBook: parts.addressBook, revocations, copies }),
    handlers: { ...handlersOf(parts, options.mailbox), analytics: analyticsHandlers(box, now), push: pushHandlers(push, now) },
    directory,
    apiKeys,
    codeAlarm: alarm,
    push,
    files: parts.files,
    realNames: parts.identities,
    letters: lettersOf(parts.names, outbox),
    traces,
    identities: new IdentityReview({ db, files: parts.files, identities: parts.identities, now }),
    box,
    keys,
    inviteCodes: parts.inviteCodes,
    erasures: parts.erasures,
    erasureDesk: erasureDesk(parts.erasures),
    sweep,
    settled: async () => copies?.settled(),
    async stop() {
      const swept = endSweeping();
      await copies?.stop();
      await swept;
      await directory.stop();
      await push.stop();
      await outbox.stop();
      await parts.records.settled();
      await alarm.settled();
      await sweep();
      endings?.close();
      await signers.close();
    },
  };
}

/** @returns a function that ends it: it resolves when the sweep that runs is over. */
function repeatSweep({ sweep, lease }: { sweep: () => Promise<void>; lease: Lease }, options: AccountsOptions): () => Promise<void> {
  const sweepFiles = orphanSweeper(options);
  let sweeping: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    sweeping = sweeping
      .then(sweep)
      .then(() => whileHeld(lease, sweepFiles))
      .catch(options.onTrouble);
  }, SWEEP_MS);
  return () => {
    clearInterval(timer);
    return sweeping;
  };
}

/** What ends credentials comes first. */
function openCopies(
  { changes, monotonicMs, onTrouble }: AccountsOptions,
  { parts, alarm, keys }: { parts: Parts; alarm: CodeAlarm; keys: PersonKeys },
): CopyKeeper | undefined {
  if (changes === undefined) return undefined;
  const { sessions, apiKeys, factors, names, passwords, wallets, identities, push } = parts;
  const ofAccount = (tables: readonly (keyof AccountsTables)[], part: { readAgain(account?: AccountId): Promise<void> }): RowCopy => ({
    tables,
    readAgain: (key) => part.readAgain(key === undefined ? undefined : accountId(Number(key))),
  });
  const copies: readonly RowCopy[] = [
    // Whenever SQL is there again: nobody reads from it as live what has ended meanwhile.
    { tables: [], readAgain: () => writeWaiting(parts, onTrouble) },
    {
      tables: ['accounts_wrapped_person_key'],
      readAgain: async (key) => keys.dropKnown(key === undefined ? undefined : accountId(Number(key))),
    },
    { tables: ['accounts_session'], readAgain: (key) => sessions.readAgain(key) },
    { tables: ['accounts_api_key'], readAgain: (key) => apiKeys.readAgain(key) },
    ofAccount(['accounts_totp', 'accounts_passkey', 'accounts_hold'], factors),
    { tables: ['accounts_code_alarm'], readAgain: () => alarm.load() },
    ofAccount(['accounts_name', 'accounts_without_wallet'], names),
    ofAccount(['accounts_password'], passwords),
    ofAccount(['accounts_identity'], identities),
    ofAccount(['accounts_embedded_wallet'], wallets),
    { tables: ['accounts_push'], readAgain: (key) => push.subscriptions.readAgain(key, (sessionId) => sessions.isLive(sessionId)) },
  ];
  return new CopyKeeper({ changes, copies, monotonicMs, onTrouble });
}

/** Removes files without a row, once in a while. */
function orphanSweeper({ db, fileStore: store, now }: AccountsOptions): () => Promise<void> {
  let orphansAt = 0;
  return async () => {
    if (now() < orphansAt) return;
    orphansAt = now() + ORPHAN_AGE_MS;
    await removeOrphans({ db, store, now });
  };
}

/** A session that ends takes its browser with it. */
async function openPush(
  { db, dataFolder, monotonicMs, onTrouble, push: site }: AccountsOptions,
  { sessions, keys, box, revocations }: { sessions: Sessions; keys: PersonKeys; box: SecretBox; revocations: Revocations },
): Promise<Push> {
  const push = new Push({
    ...site,
    keys: await openVapidKeys({ db, box, path: join(dataFolder, PUSH_KEYS_FILE) }),
    subscriptions: new Subscriptions({ db, keys, markKey: box.keyFor('push') }),
    isLive: (sessionId) => sessions.isLive(sessionId),
    monotonicMs,
    onTrouble,
  });
  revocations.subscribe((credential) => void push.end(credential).catch(onTrouble));
  return push;
}

const lettersOf = (names: Names, outbox: Outbox): Accounts['letters'] => ({
  send(account, letter) {
    const name = names.nameOf(account, 'email');
    if (name !== undefined && outbox.canSend('email')) outbox.put(newsLetter(name, letter));
  },
});

/** What is answered from memory. */
async function loadAll(parts: Parts, alarm: CodeAlarm): Promise<void> {
  const { sessions, push, apiKeys, factors, records, names, passwords, wallets, identities, addressBook } = parts;
  for (const part of [alarm, apiKeys, factors, records, names, passwords, wallets, identities, addressBook]) await part.load();
  await push.subscriptions.load((sessionId) => sessions.isLive(sessionId));
}

type Base = Pick<
  Parts,
  'directory' | 'blocked' | 'nonces' | 'proofs' | 'sessions' | 'apiKeys' | 'inviteCodes' | 'traces' | 'factors' | 'push'
>;

/** Names, passwords and codes, and the door that all ways in share. */
function openIdentity(
  base: Base,
  parts: {
    options: AccountsOptions;
    box: SecretBox;
    keys: PersonKeys;
    outbox: Outbox;
    signers: Signers;
    now: () => number;
    alarm: CodeAlarm;
  },
): Omit<Parts, keyof Base> {
  const { options, box, keys, outbox, signers, now, alarm } = parts;
  const { db } = options;
  const records = new LoginRecords({ db, keys, now, onTrouble: options.onTrouble });
  const names = new Names({ db, box, keys, now });
  const passwords = new Passwords({ db, now });
  const codes = new Codes({ db, key: box.keyFor('codes'), now, alarm });
  const captcha = new Captcha({ db, key: box.keyFor('captcha'), now, geetest: options.geetest, counters: options.captchaCounters });
  const gate = new CaptchaGate({ captcha, alarm });
  const notices = new Notices({ names, outbox, now });
  const { directory, blocked } = base;
  const nameAccounts = new NameAccounts({ ...base, gate, db, names, passwords, codes, outbox, notices });
  const identities = new Identities({ db, keys, now });
  const stretch = new PassphraseStretch(box.keyFor('passphrases of wallets'));
  const wallets = new EmbeddedWallets({ ...base, db, keys, signers, names, passwords, records, nameAccounts, stretch, now });
  const { heart, fileStore, onTrouble, erasureWaitMs: waitMs } = options;
  const erased = { ...base, db, keys, fileStore, names, passwords, identities, wallets };
  return {
    erasures: new Erasures({ ...erased, heart, notices, outbox, waitMs, now, onTrouble }),
    records,
    names,
    passwords,
    codes,
    identities,
    files: new Files({ db, store: options.fileStore, keys, linkKey: box.keyFor('file links'), now }),
    addressBook: new AddressBook({ db, keys, directory, blocked, names, contracts: options.contracts, waitMs: options.addressWaitMs, now }),
    login: new Login({ ...base, records, notices }),
    nameAccounts,
    wallets,
    captcha,
    agreements: new Agreements({ db, directory, terms: options.terms, now }),
    collections: new Collections({ db, directory }),
  };
}

const handlersOf = (parts: Parts, mailbox: MailboxReader | undefined): Omit<Accounts['handlers'], 'analytics' | 'push'> => ({
  auth: authHandlers(parts),
  session: sessionHandlers(parts),
  login: loginHandlers(parts),
  security: securityHandlers(parts),
  passkey: passkeyHandlers(parts),
  captcha: captchaHandlers(parts),
  name: nameHandlers(parts),
  erasure: erasureHandlers(parts),
  mailbox: mailboxHandlers(mailbox),
  wallet: walletHandlers(parts),
  addressBook: addressBookHandlers(parts),
  file: fileHandlers(parts),
  identity: identityHandlers(parts),
  agreement: agreementHandlers(parts),
  apiKey: apiKeyHandlers(parts),
  collection: collectionHandlers(parts),
  futuresCollection: futuresCollectionHandlers(parts),
});

/** What the program mounts. */
export const accountsService = { name: 'accounts', routes, migrations, open: openAccounts } as const;
