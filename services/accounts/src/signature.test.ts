import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Anvil, startAnvil } from '@orrery/contracts/anvil';
import type { Address } from '@orrery/units';
import {
  concat,
  createPublicClient,
  createWalletClient,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  http,
  numberToHex,
  pad,
  parseSignature,
  serializeErc6492Signature,
  size,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChainReader, ChainUnavailable, type ClaimedSignature, isSignedBy } from './signature.ts';
import { Signers } from './signers.ts';
import { EMPTY_CHAIN, person } from './testing/town.ts';

const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** Deploys what follows the salt by CREATE2; anvil starts with it. */
const FACTORY = '0x4e59b44847b379578588920ca78fbf26c0b4956c';
const owner = person(0x0f1e);
const stranger = person(0x0bad);
const text = 'localhost:8080 wants you to sign in';

/** Wraps code into what deploys it. */
const deploying = (code: Hex): Hex => concat(['0x60', numberToHex(size(code), { size: 1 }), '0x8060095f395ff3', code]);
/** ERC-1271 in 80 bytes: ecrecover of (hash, v, r, s), compared with the owner, times the magic value. */
const walletOf = (address: Hex): Hex =>
  concat([
    '0x6004355f52',
    '0x60a4355f1a602052',
    '0x606435604052',
    '0x608435606052',
    '0x602060806080',
    '0x5f60015afa50',
    '0x608051',
    '0x73',
    address,
    '0x14631626ba7e0260e01b5f5260205ff3',
  ]);
const GAS_BURNER: Hex = '0x5b5f56';
/** Answers the magic value without the rest of its word. */
const SHORT_YES: Hex = '0x631626ba7e60e01b5f5260045ff3';

const signers = new Signers();
const check = (claimed: ClaimedSignature, asked: ChainReader): Promise<boolean> => isSignedBy(claimed, { signers, chain: asked });

let directory: string;
let anvil: Anvil;
let chain: ReturnType<typeof createPublicClient>;
let deploy: (code: Hex) => Promise<Address>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'orrery-signature-'));
  anvil = await startAnvil({ flags: ['--prune-history'], directory });
  chain = createPublicClient({ transport: http(anvil.url) });
  const account = mnemonicToAccount('test test test test test test test test test test test junk');
  const wallet = createWalletClient({ account, transport: http(anvil.url) });
  deploy = async (code) => {
    const hash = await wallet.deployContract({ abi: [], bytecode: deploying(code), chain: null });
    const { contractAddress } = await chain.waitForTransactionReceipt({ hash, pollingInterval: 20 });
    return (contractAddress ?? '').toLowerCase() as Address;
  };
});
afterAll(async () => {
  await signers.close();
  await anvil.end();
  await rm(directory, { recursive: true, force: true });
});

const sign = (who: typeof owner, message = text): Promise<Hex> => who.wallet.signMessage({ message });

describe('a signature of a key-held address', () => {
  const isOwners = (signature: Hex) => check({ address: owner.address, text, signature }, EMPTY_CHAIN);

  test('[L9] is taken for its text and its address only', async () => {
    expect(await isOwners(await sign(owner))).toBe(true);
    expect(await isOwners(await sign(stranger))).toBe(false);
    expect(await isOwners(await sign(owner, 'another text'))).toBe(false);
  });

  test('[L9] has one form, v apart, which may be 0 or 1: the mirrored one, short ones and other recovery values are refused', async () => {
    const signature = await sign(owner);
    const { r, s, v } = parseSignature(signature);
    const mirrored = concat([r, numberToHex(SECP256K1_ORDER - BigInt(s), { size: 32 }), v === 27n ? '0x1c' : '0x1b']);
    const recovery = v === 27n ? 0 : 1;
    const compact = concat([r, numberToHex(BigInt(s) | (BigInt(recovery) << 255n), { size: 32 })]);
    const forms: Record<string, Hex> = {
      mirrored,
      compact,
      'mirrored, recovery 0 or 1': concat([
        r,
        numberToHex(SECP256K1_ORDER - BigInt(s), { size: 32 }),
        numberToHex(1 - recovery, { size: 1 }),
      ]),
      'recovery 2': concat([r, s, '0x02']),
      'recovery 26': concat([r, s, '0x1a']),
      'recovery 29': concat([r, s, '0x1d']),
      'one byte more': concat([signature, '0x00']),
      'one byte less': signature.slice(0, -2) as Hex,
      empty: '0x',
      zeros: `0x${'00'.repeat(64)}1b`,
      'r of the order': concat([numberToHex(SECP256K1_ORDER, { size: 32 }), s, '0x1b']),
    };
    for (const [name, form] of Object.entries(forms)) expect([name, await isOwners(form)]).toEqual([name, false]);
    // As some hardware wallets write it.
    expect(await isOwners(concat([r, s, numberToHex(recovery, { size: 1 })]))).toBe(true);
  });
});

describe('a signature of a contract wallet', () => {
  test('[L9] ERC-1271: the wallet on the chain is asked', async () => {
    const address = await deploy(walletOf(owner.address as Hex));
    expect(await check({ address, text, signature: await sign(owner) }, chain)).toBe(true);
    expect(await check({ address, text, signature: await sign(stranger) }, chain)).toBe(false);
    expect(await check({ address, text: 'another text', signature: await sign(owner) }, chain)).toBe(false);
  });

  test('[L9] ERC-6492: a wallet that is not deployed yet is deployed inside the question', async () => {
    const code = deploying(walletOf(owner.address as Hex));
    const salt = pad('0x01');
    const address = getContractAddress({ opcode: 'CREATE2', from: FACTORY, salt, bytecode: code }).toLowerCase() as Address;
    const wrapped = async (who: typeof owner) =>
      serializeErc6492Signature({ address: FACTORY, data: concat([salt, code]), signature: await sign(who) });
    expect(await check({ address, text, signature: await wrapped(owner) }, chain)).toBe(true);
    expect(await check({ address, text, signature: await wrapped(stranger) }, chain)).toBe(false);
    expect(await chain.getCode({ address: address as Hex })).toBeUndefined();
  });

  test('[L9] a contract that burns all its gas, or answers by halves, has not said yes', async () => {
    const signature = await sign(owner);
    for (const code of [GAS_BURNER, SHORT_YES]) {
      expect(await check({ address: await deploy(code), text, signature }, chain)).toBe(false);
    }
  });

  test('[L9] a wallet that answers too late is not waited for', async () => {
    const silent: ChainReader = { getCode: () => Promise.resolve('0x00' as Hex), call: () => new Promise(() => undefined) };
    expect(await check({ address: owner.address, text, signature: encodeAbiParameters([{ type: 'string' }], ['?']) }, silent)).toBe(false);
  });

  test('a chain that does not answer is distinguished from a wrong signature', async () => {
    const down: ChainReader = { getCode: () => Promise.reject(new Error('refused')), call: () => Promise.reject(new Error('refused')) };
    await expect(check({ address: owner.address, text, signature: '0x00' }, down)).rejects.toBeInstanceOf(ChainUnavailable);
  });
});
