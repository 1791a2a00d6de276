import { beforeAll, describe, expect, test } from 'vitest';
import { privateKeyToAccount } from 'viem/accounts';
import { combineKey, fromText, type KeyShares, newKey, openRecovery, sealRecovery, splitKey, toText, WrongShares } from './key-shares.ts';

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
  test('opens by its passphrase, for its wallet, and by nothing else', async () => {
    const sealed = await sealRecovery(shares.recovery, { passphrase: PASSPHRASE, address });
    expect(sealed).toMatch(/^v1\.[\w-]{22}\.[\w-]{16}\.[\w-]{66}$/);
    expect(await openRecovery(sealed, { passphrase: PASSPHRASE, address: address.toLowerCase() })).toEqual(new Uint8Array(shares.recovery));
    const other = privateKeyToAccount(newKey()).address;
    for (const wrong of [
      { passphrase: 'a horse in the cellar', address },
      { passphrase: PASSPHRASE, address: other },
    ])
      await expect(openRecovery(sealed, wrong)).rejects.toBeInstanceOf(WrongShares);
    await expect(openRecovery('v2.a.b.c', { passphrase: PASSPHRASE, address })).rejects.toBeInstanceOf(WrongShares);
  });
});
