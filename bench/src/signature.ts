/**
 * The check of a wallet's signature: who signed a text (`personal_sign`) or a digest (as EIP-712 makes one of typed data), by the accounts
 * service and by viem, on one core in turns; and what the service's thread answers while the main thread stays free.
 */
import { loadSignatureTools, type SignatureTools } from '@orrery/accounts/signer-of';
import { Signers } from '@orrery/accounts/signers';
import { hashMessage, hashTypedData, hexToBytes, recoverAddress, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { median, rounded } from './measure.ts';
import type { Findings, Part } from './part.ts';

const ROUNDS = 7;
const SIGNATURES = 200;
const THREAD_SIGNATURES = 5_000;
const IN_FLIGHT = 64;

export const signaturePart: Part = {
  name: 'signature',
  about: 'who signed: by the accounts service and by viem',
  measure: measureSignatures,
};

interface Signed {
  readonly text: string;
  readonly ofText: Hex;
  readonly digest: Hex;
  readonly ofDigest: Hex;
  readonly address: Hex;
}

/** Microseconds of processor time each. */
interface Times {
  readonly text: number;
  readonly viemText: number;
  readonly digest: number;
  readonly viemDigest: number;
}

export async function measureSignatures(): Promise<Findings> {
  const signed = await Promise.all(Array.from({ length: SIGNATURES }, (_, index) => signedBy(index)));
  const tools = await loadSignatureTools();
  const rounds: Times[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) rounds.push(await roundOf(tools, signed));
  const of = (name: keyof Times): number => median(rounds.slice(1).map((times) => times[name]));
  const thread = await throughThread(signed);
  const [timesViem, timesViemDigest] = [of('viemText') / of('text'), of('viemDigest') / of('digest')];
  const row = (what: string, ours: number, viem: number): string =>
    `${what.padEnd(34)}${ours.toFixed(0).padStart(6)} µs, viem ${viem.toFixed(0)} µs: ${(viem / ours).toFixed(1)} times`;
  return {
    figures: {
      signature: {
        timesViem: rounded(timesViem, 1),
        timesViemDigest: rounded(timesViemDigest, 1),
        microseconds: rounded(of('text'), 1),
        viemMicroseconds: rounded(of('viemText'), 1),
        threadPerSec: rounded(thread.perSecond, 0),
        mainThreadShare: rounded(thread.mainThreadShare, 2),
      },
    },
    lines: [
      row('a text (personal_sign)', of('text'), of('viemText')),
      row('a digest (of EIP-712 typed data)', of('digest'), of('viemDigest')),
      `on its thread ${Math.round(thread.perSecond).toLocaleString('en')} texts a second, the main thread busy ${(thread.mainThreadShare * 100).toFixed(0)} % of it`,
    ],
  };
}

async function signedBy(index: number): Promise<Signed> {
  const wallet = privateKeyToAccount(`0x${(index + 1).toString(16).padStart(64, '0')}`);
  const text = `localhost:8080 wants you to sign in with your Ethereum account:\n${wallet.address}\n\nSign in to Orrery.\n\nURI: http://localhost:8080\nVersion: 1\nChain ID: 138565\nNonce: ${index.toString(16).padStart(32, '0')}\nIssued At: 2026-01-01T00:00:00.000Z`;
  const typedData = {
    domain: { name: 'Orrery', version: '1', chainId: 138_565 },
    types: { Login: [{ name: 'nonce', type: 'uint256' }] },
    primaryType: 'Login',
    message: { nonce: BigInt(index) },
  } as const;
  return {
    text,
    ofText: await wallet.signMessage({ message: text }),
    digest: hashTypedData(typedData),
    ofDigest: await wallet.signTypedData(typedData),
    address: wallet.address,
  };
}

async function roundOf({ digestOf, signerOf }: SignatureTools, signed: readonly Signed[]): Promise<Times> {
  return {
    text: await timeEach(signed, ({ text, ofText }) => signerOf(digestOf(text), hexToBytes(ofText))),
    viemText: await timeEach(signed, ({ text, ofText }) => recoverAddress({ hash: hashMessage(text), signature: ofText })),
    digest: await timeEach(signed, ({ digest, ofDigest }) => signerOf(hexToBytes(digest), hexToBytes(ofDigest))),
    viemDigest: await timeEach(signed, ({ digest, ofDigest }) => recoverAddress({ hash: digest, signature: ofDigest })),
  };
}

async function timeEach(signed: readonly Signed[], signerOf: (each: Signed) => Promise<string | undefined>): Promise<number> {
  const before = process.cpuUsage();
  for (const each of signed) check(await signerOf(each), each);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / signed.length;
}

function check(signer: string | undefined, { address }: Signed): void {
  if (signer?.toLowerCase() !== address.toLowerCase()) throw new Error(`the signer is ${address}, not ${String(signer)}`);
}

async function throughThread(signed: readonly Signed[]): Promise<{ perSecond: number; mainThreadShare: number }> {
  const signers = new Signers();
  let next = 0;
  const ask = async (until: number): Promise<void> => {
    while (next < until) {
      const each = signed[next % signed.length];
      next += 1;
      if (each !== undefined) check(await signers.of({ text: each.text, signature: each.ofText }), each);
    }
  };
  const askAll = (count: number): Promise<unknown> => {
    next = 0;
    return Promise.all(Array.from({ length: IN_FLIGHT }, () => ask(count)));
  };
  await askAll(signed.length);
  const before = performance.eventLoopUtilization();
  const started = performance.now();
  await askAll(THREAD_SIGNATURES);
  const seconds = (performance.now() - started) / 1_000;
  const { utilization } = performance.eventLoopUtilization(before);
  await signers.close();
  return { perSecond: THREAD_SIGNATURES / seconds, mainThreadShare: utilization };
}
