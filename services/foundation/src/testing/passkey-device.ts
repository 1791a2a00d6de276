/** For tests: a device that makes passkeys and proves them, as WebAuthn writes it down, and lies where it is asked to. ES256, no attestation. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_PASSKEY = 0x40;

interface Options {
  readonly origin: string;
  /** A device that did not ask who holds it. */
  readonly unverified?: boolean;
  /** Another site than that of the origin. */
  readonly site?: string;
}

export class PasskeyDevice {
  readonly #key: KeyObject;
  readonly #cose: Buffer;
  readonly credentialId = randomBytes(16).toString('base64url');
  counter = 0;

  readonly #counts: boolean;

  /** @param counts one that keeps its passkeys in many places counts nothing */
  constructor(counts: 'counts' | 'countsNothing' = 'counts') {
    this.#counts = counts === 'counts';
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#key = privateKey;
    // {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
    this.#cose = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
  }

  make(challenge: string, options: Options): { credentialId: string; clientData: string; attestation: string } {
    const id = Buffer.from(this.credentialId, 'base64url');
    const length = Buffer.from([0, id.length]);
    const authData = Buffer.concat([this.#authenticatorData(options, HAS_PASSKEY), Buffer.alloc(16), length, id, this.#cose]);
    // {"fmt": "none", "attStmt": {}, "authData": bytes}
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
      Buffer.from([authData.length]),
      authData,
    ]);
    return {
      credentialId: this.credentialId,
      clientData: clientData('webauthn.create', challenge, options),
      attestation: attestation.toString('base64url'),
    };
  }

  prove(challenge: string, options: Options): { credentialId: string; clientData: string; authenticatorData: string; signature: string } {
    const authenticatorData = this.#authenticatorData(options, 0);
    const client = clientData('webauthn.get', challenge, options);
    const signed = Buffer.concat([authenticatorData, createHash('sha256').update(Buffer.from(client, 'base64url')).digest()]);
    return {
      credentialId: this.credentialId,
      clientData: client,
      authenticatorData: authenticatorData.toString('base64url'),
      signature: sign('sha256', signed, this.#key).toString('base64url'),
    };
  }

  #authenticatorData({ origin, unverified = false, site: of = new URL(origin).hostname }: Options, more: number): Buffer {
    if (this.#counts) this.counter += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const site = createHash('sha256').update(of).digest();
    return Buffer.concat([site, Buffer.from([USER_PRESENT | (unverified ? 0 : USER_VERIFIED) | more]), counter]);
  }
}

const clientData = (type: string, challenge: string, { origin }: Options): string =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url');
