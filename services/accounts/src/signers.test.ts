import * as fc from 'fast-check';
import { hashMessage, hexToBytes, recoverAddress, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, describe, expect, test } from 'vitest';
import { loadSignatureTools, nativeRecover, portableRecover } from './signer-of.ts';
import { Signers } from './signers.ts';

const SEED = Number(process.env['ORRERY_SEED'] ?? Date.now() % 1_000_000);
const SIGNATURES = Number(process.env['ORRERY_SIGNATURES'] ?? 150);
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const signers = new Signers();
afterAll(() => signers.close());

/** What is done to a sound signature, by name, with a number to choose by. */
const FORMS = {
  sound: (signature) => signature,
  'one bit flipped': (signature, pick) => flipped(signature, pick),
  'the mirrored s': (signature) => withS(signature, ORDER - sOf(signature), 55 - vOf(signature)),
  'the mirrored s alone': (signature) => withS(signature, ORDER - sOf(signature), vOf(signature)),
  'the other recovery': (signature) => withS(signature, sOf(signature), 55 - vOf(signature)),
  'recovery 0 or 1': (signature) => withS(signature, sOf(signature), vOf(signature) - 27),
  'recovery 29 or 30': (signature) => withS(signature, sOf(signature), vOf(signature) + 2),
  'any recovery': (signature, pick) => withS(signature, sOf(signature), pick % 256),
  's of zero': (signature) => withS(signature, 0n, vOf(signature)),
  's of the order': (signature) => withS(signature, ORDER, vOf(signature)),
  'r of zero': (signature) => `0x${'00'.repeat(32)}${signature.slice(66)}`,
  'r of the order': (signature) => `0x${ORDER.toString(16)}${signature.slice(66)}`,
  'r beyond the field': (signature) => `0x${'ff'.repeat(32)}${signature.slice(66)}`,
  truncated: (signature, pick) => signature.slice(0, 2 + 2 * (pick % 65)) as Hex,
  lengthened: (signature) => `${signature}00`,
  noise: (_signature, pick) => `0x${Buffer.alloc(65, pick & 255).toString('hex')}`,
} as const satisfies Record<string, (signature: Hex, pick: number) => Hex>;

const sOf = (signature: Hex): bigint => BigInt(`0x${signature.slice(66, 130)}`);
const vOf = (signature: Hex): number => Number.parseInt(signature.slice(130), 16);
const withS = (signature: Hex, s: bigint, v: number): Hex =>
  `0x${signature.slice(2, 66)}${s.toString(16).padStart(64, '0')}${v.toString(16).padStart(2, '0')}`;

function flipped(signature: Hex, pick: number): Hex {
  const bytes = Buffer.from(signature.slice(2), 'hex');
  const bit = pick % (bytes.length * 8);
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return `0x${bytes.toString('hex')}`;
}

/** The rule, with viem's arithmetic. */
async function signerByViem(text: string, signature: Hex): Promise<string | undefined> {
  const isTaken = signature.length === 132 && [0, 1, 27, 28].includes(vOf(signature)) && sOf(signature) <= ORDER / 2n;
  const signer = isTaken ? await recoverAddress({ hash: hashMessage(text), signature }).catch(() => undefined) : undefined;
  return signer?.toLowerCase();
}

const keys = fc.bigInt({ min: 1n, max: ORDER - 1n }).map((key) => privateKeyToAccount(`0x${key.toString(16).padStart(64, '0')}`));
const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom('', 'é', '\u{1f680}', 'x'.repeat(2_000)));

describe(`seed ${SEED}: the signer of a text`, () => {
  test('is the one that viem finds, whatever is done to the signature', async () => {
    const portable = await loadSignatureTools(portableRecover);
    await fc.assert(
      fc.asyncProperty(keys, texts, fc.nat(), async (wallet, text, pick) => {
        const sound = await wallet.signMessage({ message: text });
        expect(await signers.of({ text, signature: sound })).toBe(wallet.address.toLowerCase());
        for (const [name, spoil] of Object.entries(FORMS)) {
          const signature = spoil(sound, pick);
          const expected = await signerByViem(text, signature);
          expect([name, await signers.of({ text, signature })]).toEqual([name, expected]);
          expect([name, await portable.signerOf(portable.digestOf(text), hexToBytes(signature))]).toEqual([name, expected]);
        }
      }),
      { seed: SEED, numRuns: SIGNATURES, endOnFailure: true },
    );
  }, 300_000);

  test('is another one, or none, when the text is another', async () => {
    const wallet = privateKeyToAccount(`0x${'1'.padStart(64, '0')}`);
    const signature = await wallet.signMessage({ message: 'this' });
    expect(await signers.of({ text: 'that', signature })).not.toBe(wallet.address.toLowerCase());
  });
});

describe('the digest of a text', () => {
  test('is that of EIP-191', async () => {
    const { digestOf } = await loadSignatureTools();
    fc.assert(
      fc.property(texts, (text) => {
        expect(`0x${Buffer.from(digestOf(text)).toString('hex')}`).toBe(hashMessage(text));
      }),
      { seed: SEED },
    );
  });
});

describe('the threads', () => {
  test('the library is there on this machine, whose speed the thread has', () => {
    expect(['x64', 'arm64']).toContain(process.arch);
    if (process.arch === 'x64') expect(nativeRecover()).toBeDefined();
  });

  test('answer everyone their own, however many ask at once', async () => {
    const pool = new Signers({ threads: 2 });
    const wallets = Array.from({ length: 5 }, (_, index) => privateKeyToAccount(`0x${String(index + 1).padStart(64, '0')}`));
    const asked = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const wallet = wallets[index % wallets.length]!;
        const text = `text ${index}`;
        const signature = await wallet.signMessage({ message: text });
        return [await pool.of({ text, signature }), wallet.address.toLowerCase()];
      }),
    );
    for (const [signer, expected] of asked) expect(signer).toBe(expected);
    await pool.close();
  });

  test('refuse the thousand and first waiting call, and every call after the end', async () => {
    const pool = new Signers();
    const signature: Hex = `0x${'00'.repeat(65)}`;
    const asked = Array.from({ length: 1_001 }, () => pool.of({ text: '', signature }));
    await expect(asked.at(-1)).rejects.toMatchObject({ data: { reason: 'Overloaded' }, retryAfterSeconds: 1 });
    expect(new Set(await Promise.all(asked.slice(0, -1)))).toEqual(new Set([undefined]));
    await pool.close();
    await expect(pool.of({ text: '', signature })).rejects.toMatchObject({ data: { reason: 'Overloaded' } });
  });

  test('that end take their questions with them', async () => {
    const pool = new Signers();
    const asked = pool.of({ text: '', signature: `0x${'00'.repeat(65)}` });
    const [answer] = await Promise.allSettled([asked, pool.close()]);
    expect(answer).toMatchObject({ status: 'rejected', reason: { message: 'the thread signers has ended' } });
  });
});
