/**
 * The proof of work of ALTCHA, which its own widgets solve too: the counter that makes the key begin with the prefix is known here, so that
 * a challenge costs one derivation to make and one to check, and some hundreds to solve.
 */
import { createHmac, pbkdf2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { CAPTCHA_LIFE_MS, type CaptchaAction, type ProofOfWork, type SolvedWork } from '@orrery/api';

/** About 0.4 s of a laptop. */
export const COST = 5_000;
export const COUNTERS: CounterRange = [100, 500];
/** The lowest and the highest number of derivations after which a challenge is solved. */
export type CounterRange = readonly [number, number];

const KEY_BYTES = 32;
const PREFIX_BYTES = 16;
const NONCE_BYTES = 16;

const derive = promisify(pbkdf2);

/** For whom and what a challenge is made. */
export interface CaptchaUse {
  readonly action: CaptchaAction;
  /** As a keyed hash. */
  readonly network: string;
}

export async function newProofOfWork(
  { action, network }: CaptchaUse,
  { key, now, counters = COUNTERS }: { key: Buffer; now: number; counters?: CounterRange | undefined },
): Promise<ProofOfWork> {
  const nonce = randomBytes(NONCE_BYTES);
  const salt = randomBytes(NONCE_BYTES);
  const derived = await keyOf({ nonce, salt, counter: randomInt(counters[0], counters[1] + 1) });
  // In the order of their names: the signature is over this text.
  const parameters = {
    algorithm: 'PBKDF2/SHA-256',
    cost: COST,
    data: { action, network },
    expiresAt: Math.floor((now + CAPTCHA_LIFE_MS) / 1_000),
    keyLength: KEY_BYTES,
    keyPrefix: derived.subarray(0, PREFIX_BYTES).toString('hex'),
    nonce: nonce.toString('hex'),
    salt: salt.toString('hex'),
  } as const;
  return { parameters, signature: signatureOf(JSON.stringify(parameters), key) };
}

/** The nonce of a challenge of ours that is solved for this use and not too old; undefined when anything of it is not so. */
export async function solvedNonce(
  answer: string,
  use: CaptchaUse,
  { key, now }: { key: Buffer; now: number },
): Promise<string | undefined> {
  const solved = readAnswer(answer);
  if (solved === undefined) return undefined;
  const { parameters, signature } = solved.challenge;
  const own = Object.fromEntries(
    Object.entries(parameters)
      .map(
        ([name, value]) => [name, name === 'data' ? { action: parameters.data.action, network: parameters.data.network } : value] as const,
      )
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  if (!isSame(signature, signatureOf(JSON.stringify(own), key))) return undefined;
  // From here on the parameters are what was signed.
  if (parameters.expiresAt * 1_000 <= now || parameters.data.action !== use.action || parameters.data.network !== use.network)
    return undefined;
  const { counter, derivedKey } = solved.solution;
  const derived = await keyOf({ nonce: Buffer.from(parameters.nonce, 'hex'), salt: Buffer.from(parameters.salt, 'hex'), counter });
  const isSolved = isSame(derived.toString('hex'), derivedKey) && derivedKey.startsWith(parameters.keyPrefix);
  return isSolved ? parameters.nonce : undefined;
}

function keyOf({ nonce, salt, counter }: { nonce: Buffer; salt: Buffer; counter: number }): Promise<Buffer> {
  const password = Buffer.concat([nonce, Buffer.alloc(4)]);
  password.writeUInt32BE(counter, nonce.length);
  return derive(password, salt, COST, KEY_BYTES, 'sha256');
}

const signatureOf = (text: string, key: Buffer): string => createHmac('sha256', key).update(text).digest('hex');

function isSame(given: string, own: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(own)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** What is not of this shape is no answer; what it says is believed only after the signature. */
function readAnswer(answer: string): SolvedWork | undefined {
  const read = parsed(answer);
  const challenge = fieldOf(read, 'challenge');
  const solution = fieldOf(read, 'solution');
  const parameters = fieldOf(challenge, 'parameters');
  const counter = fieldOf(solution, 'counter');
  const isShaped =
    typeof fieldOf(challenge, 'signature') === 'string' &&
    typeof fieldOf(fieldOf(parameters, 'data'), 'action') === 'string' &&
    Number.isInteger(counter) &&
    (counter as number) >= 0 &&
    (counter as number) <= 0xffff_ffff &&
    typeof fieldOf(solution, 'derivedKey') === 'string';
  return isShaped ? (read as SolvedWork) : undefined;
}

function parsed(answer: string): unknown {
  try {
    return JSON.parse(Buffer.from(answer, 'base64').toString('utf8'));
  } catch {
    return undefined;
  }
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
