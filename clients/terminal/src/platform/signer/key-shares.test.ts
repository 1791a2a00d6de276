import { ristretto255_oprf as suite } from '@noble/curves/ed25519.js';
import { argon2id } from 'hash-wasm';
import { beforeAll, describe, expect, test } from 'vitest';
import { privateKeyToAccount } from 'viem/accounts';
import { combineKey, fromText, type KeyShares, newKey, openRecovery, sealRecovery, splitKey, toText, WrongShares } from './key-shares.ts';
import { blindPassphrase } from './passphrase.ts';

const key = newKey();
const { address } = privateKeyToAccount(key);
const PASSPHRASE = 'a horse in the attic';
let shares: KeyShares;
beforeAll(async () => {
  shares = await splitKey(key);
});

describe('[L10] a key in three shares', () => {
  test.each([
    ['device', 'server'],
    ['server', 'recovery'],
    ['device', 'recovery'],
  ] as const)('the %s and the %s make it whole', async (one, other) => {
    expect((await combineKey([shares[one], shares[other]], address)).key).toBe(key);
  });

  test.each(['device', 'server', 'recovery'] as const)('the share of %s alone signs nothing', async (name) => {
    await expect(combineKey([shares[name]], address)).rejects.toBeInstanceOf(WrongShares);
    await expect(combineKey([shares[name], shares[name]], address)).rejects.toBeInstanceOf(WrongShares);
    const guessed = new Uint8Array(shares[name].length).fill(7);
    await expect(combineKey([shares[name], guessed], address)).rejects.toBeInstanceOf(WrongShares);
  });

  test('shares of another time make nothing with those of before', async () => {
    const later = await splitKey(key);
    await expect(combineKey([shares.device, later.server], address)).rejects.toBeInstanceOf(WrongShares);
    expect((await combineKey([later.device, later.recovery], address)).key).toBe(key);
  });

  test('a share has the length that the exchange takes', () => {
    for (const share of Object.values(shares)) {
      expect(toText(share)).toMatch(/^[\w-]{44}$/);
      expect(fromText(toText(share))).toEqual(new Uint8Array(share));
    }
  });
});

describe('[L10] the recovery share', () => {
  const exchange = suite.oprf.generateKeyPair();
  /** As the exchange answers, which sees the blinded passphrase alone. */
  const stretchedBy = (passphrase: string, secretKey: Uint8Array = exchange.secretKey): Uint8Array => {
    const { blinded, finish } = blindPassphrase(passphrase);
    return finish(toText(suite.oprf.blindEvaluate(secretKey, fromText(blinded))));
  };
  const by = (passphrase: string, of: string = address) => ({ passphrase, stretched: stretchedBy(passphrase), address: of });

  test('a passphrase is stretched to the same each time, and what is sent of it is another each time', () => {
    expect(stretchedBy(PASSPHRASE)).toEqual(stretchedBy(PASSPHRASE));
    expect(stretchedBy(PASSPHRASE)).not.toEqual(stretchedBy('a horse in the cellar'));
    expect(blindPassphrase(PASSPHRASE).blinded).not.toBe(blindPassphrase(PASSPHRASE).blinded);
    expect(blindPassphrase(PASSPHRASE).blinded).toMatch(/^[\w-]{43}$/);
  });

  test('can not be guessed by who has it: the right passphrase opens nothing without the key of the exchange', async () => {
    const sealed = await sealRecovery(shares.recovery, by(PASSPHRASE));
    const guessed = { passphrase: PASSPHRASE, stretched: stretchedBy(PASSPHRASE, suite.oprf.generateKeyPair().secretKey), address };
    await expect(openRecovery(sealed, guessed)).rejects.toBeInstanceOf(WrongShares);
    const unstretched = { passphrase: PASSPHRASE, stretched: new TextEncoder().encode(PASSPHRASE), address };
    await expect(openRecovery(sealed, unstretched)).rejects.toBeInstanceOf(WrongShares);
    await expect(openRecovery(sealed.replace('v2', 'v1'), by(PASSPHRASE))).rejects.toBeInstanceOf(WrongShares);
  });

  test('of a wallet from before is opened by the passphrase alone, once: a new one is stretched', async () => {
    const [salt, iv] = [new Uint8Array(16).fill(1), new Uint8Array(12).fill(2)];
    const cost = { parallelism: 1, iterations: 3, memorySize: 65_536, hashLength: 32, outputType: 'binary' } as const;
    const hash = await argon2id({ ...cost, password: PASSPHRASE, salt });
    const aes = await crypto.subtle.importKey('raw', new Uint8Array(hash), 'AES-GCM', false, ['encrypt']);
    const additionalData = new TextEncoder().encode(address.toLowerCase());
    const cipher = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, aes, new Uint8Array(shares.recovery));
    const old = ['v1', toText(salt), toText(iv), toText(new Uint8Array(cipher))].join('.');
    expect(await openRecovery(old, by(PASSPHRASE))).toEqual(new Uint8Array(shares.recovery));
    await expect(openRecovery(old, by('a horse in the cellar'))).rejects.toBeInstanceOf(WrongShares);
  });

  test('opens by its passphrase, for its wallet, and by nothing else', async () => {
    const sealed = await sealRecovery(shares.recovery, by(PASSPHRASE));
    expect(sealed).toMatch(/^v2\.[\w-]{22}\.[\w-]{16}\.[\w-]{66}$/);
    expect(await openRecovery(sealed, by(PASSPHRASE, address.toLowerCase()))).toEqual(new Uint8Array(shares.recovery));
    const other = privateKeyToAccount(newKey()).address;
    for (const wrong of [by('a horse in the cellar'), by(PASSPHRASE, other)])
      await expect(openRecovery(sealed, wrong)).rejects.toBeInstanceOf(WrongShares);
    await expect(openRecovery('v3.a.b.c', by(PASSPHRASE))).rejects.toBeInstanceOf(WrongShares);
  });
});
