/** For tests: who there is, by token and by key, without any service of accounts. */
import { createHash, createHmac, type KeyObject, randomUUID, sign } from 'node:crypto';
import {
  ApiError,
  OPERATOR_ROLES,
  signedRequestText,
  signedText,
  type Caller,
  type MoneyRight,
  type Operator,
  type Permission,
  type Principal,
  type RateTier,
} from '@orrery/api';
import { millis, type AccountId, type Address } from '@orrery/units';
import type { ApiKeyRecord, Authenticator, AuthFailure, OperatorDoor } from '../ports.ts';

export interface Person {
  readonly name: string;
  readonly account: AccountId;
  readonly address: Address;
  readonly token: string;
}

export interface Key {
  readonly accessKey: string;
  readonly secret: string;
  /** Of Ed25519, in the place of the secret. */
  readonly privateKey?: KeyObject;
}

/** What a withdrawal is signed with here. */
export const GOOD_SIGNATURE = '0x00';

/** Operators by role, and an operator who reviews. */
export const OPERATORS = [...OPERATOR_ROLES, 'reviewer'] as const;
type OperatorName = (typeof OPERATORS)[number];

/** By which this operator is known here. */
export const operatorCookie = (who: OperatorName): string => `operator=${who}-of-operators`;

export class People implements Authenticator, OperatorDoor {
  /** Of accounts that have another one than 1. */
  readonly levels = new Map<AccountId, number>();
  readonly #sessions = new Map<string, Principal>();
  readonly #keys = new Map<string, ApiKeyRecord>();
  readonly #usedNonces = new Set<string>();
  readonly #listeners = new Set<(credential: string) => void>();

  addSession(person: Person, options: { endsAt: number; tier?: RateTier }): void {
    this.#sessions.set(person.token, {
      account: person.account,
      address: person.address,
      via: 'session',
      credential: `session-of-${person.name}`,
      permission: 'TRADE',
      tier: options.tier ?? 'standard',
      endsAt: millis(options.endsAt),
    });
  }

  enter({ cookies }: Caller): Promise<Operator> {
    const name = OPERATORS.find((each) => cookies['operator'] === `${each}-of-operators`);
    if (name === undefined) return Promise.reject(new ApiError('NotSignedIn'));
    const is: Pick<Operator, 'role' | 'rights'> =
      name === 'reviewer' ? { role: 'operator', rights: ['reviewer'] } : { role: name, rights: [] };
    return Promise.resolve({ operatorId: `operator-${name}`, name, ...is, endsAt: millis(8_640_000_000_000) });
  }

  addKey(
    person: Person,
    options: {
      permission: Permission;
      endsAt: number;
      moneyRights?: MoneyRight[];
      publicKey?: string;
      ipList?: string[];
      tier?: RateTier;
      legacySigning?: boolean;
    },
  ): Key {
    const accessKey = `key-${randomUUID()}`;
    const secret = `secret-${randomUUID()}`;
    this.#keys.set(accessKey, {
      secret,
      publicKey: options.publicKey,
      ipList: options.ipList ?? [],
      legacySigning: options.legacySigning ?? true,
      principal: {
        account: person.account,
        address: person.address,
        via: 'apiKey',
        credential: accessKey,
        permission: options.permission,
        moneyRights: options.moneyRights ?? [],
        tier: options.tier ?? 'standard',
        endsAt: millis(options.endsAt),
      },
    });
    return { accessKey, secret };
  }

  /** As where another process made the key. */
  adopt({ accessKey }: Key, from: People): void {
    const record = from.#keys.get(accessKey);
    if (record !== undefined) this.#keys.set(accessKey, record);
  }

  end(person: Person): void {
    this.#sessions.delete(person.token);
    for (const listener of this.#listeners) listener(`session-of-${person.name}`);
  }

  session(token: string): Principal | AuthFailure {
    return this.#sessions.get(token) ?? 'SessionExpired';
  }

  apiKey(accessKey: string): ApiKeyRecord | AuthFailure {
    return this.#keys.get(accessKey) ?? 'InvalidApiKey';
  }

  async checkWithdrawal({ principal, request }: Parameters<Authenticator['checkWithdrawal']>[0]): Promise<void> {
    if (principal.via === 'apiKey') return;
    if (request.nonce === undefined) throw new ApiError('MissingField', { field: 'nonce' });
    if (request.signature !== GOOD_SIGNATURE) throw new ApiError('InvalidSignature');
    if (this.#usedNonces.has(request.nonce)) throw new ApiError('InvalidNonce');
    this.#usedNonces.add(request.nonce);
  }

  levelOf(account: AccountId): number {
    return this.levels.get(account) ?? 1;
  }

  onRevoked(listener: (credential: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** The headers of a call signed by the legacy scheme over `parameters` in this order. */
export function signedHeaders(key: Key, parameters: readonly (readonly [string, string])[], timestamp: number): Record<string, string> {
  const signature = createHmac('sha256', key.secret).update(signedText(parameters, timestamp)).digest('hex');
  return {
    'x-access-key': key.accessKey,
    'x-request-timestamp': String(timestamp),
    'x-request-nonce': randomUUID(),
    'x-signature': signature,
  };
}

/** The headers of a call signed by version 2. */
export function signedRequestHeaders(
  key: Key,
  call: { method: string; url: string; body?: string; timestamp: number },
): Record<string, string> {
  const [path = '', query = ''] = call.url.split('?');
  const nonce = randomUUID();
  const bodyHash = createHash('sha256')
    .update(call.body ?? '')
    .digest('hex');
  const text = signedRequestText({ method: call.method, path, query, bodyHash, nonce, timestamp: call.timestamp });
  return {
    'x-access-key': key.accessKey,
    'x-request-timestamp': String(call.timestamp),
    'x-request-nonce': nonce,
    'x-signature':
      key.privateKey === undefined
        ? createHmac('sha256', key.secret).update(text).digest('hex')
        : sign(null, Buffer.from(text), key.privateKey).toString('hex'),
    'x-signature-version': '2',
  };
}
