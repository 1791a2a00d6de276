/** Did this address sign this text? Key-held addresses by recovery, contract wallets by asking them (ERC-1271, ERC-6492). */
import { setTimeout as pause } from 'node:timers/promises';
import type { Address } from '@orrery/units';
import {
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  hashMessage,
  type Hex,
  isErc6492Signature,
  parseAbi,
  type PublicClient,
} from 'viem';
import type { SignedText, Signers } from './signers.ts';

const ERC1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
const ERC1271_MAGIC = '0x1626ba7e';
/** A wallet that answers slower, or needs more, is not waited for. */
const CONTRACT_ANSWER_MS = 1_500;
const CONTRACT_GAS = 200_000n;
/** The wallet is deployed inside the call before it is asked. */
const COUNTERFACTUAL_GAS = 5_000_000n;

/** What is needed of the chain. */
export type ChainReader = Pick<PublicClient, 'getCode' | 'call'>;

export interface ClaimedSignature extends SignedText {
  readonly address: Address;
}

export interface SignaturePorts {
  readonly signers: Pick<Signers, 'of'>;
  readonly chain: ChainReader;
}

/** The chain did not answer: nothing is known of the signature. */
export class ChainUnavailable extends Error {
  override readonly name = 'ChainUnavailable';
}

export async function isSignedBy({ address, text, signature }: ClaimedSignature, { signers, chain }: SignaturePorts): Promise<boolean> {
  if ((await signers.of({ text, signature })) === address) return true;
  const question = askWallet({ address, hash: hashMessage(text), signature }, chain);
  // The cap holds even where the transport's own is longer; the losing promise is ignored.
  question.catch(() => undefined);
  return Promise.race([question, pause(CONTRACT_ANSWER_MS, false, { ref: false })]);
}

async function askWallet(question: { address: Address; hash: Hex; signature: Hex }, chain: ChainReader): Promise<boolean> {
  const { address, hash, signature } = question;
  const wallet = address as Hex;
  if (isErc6492Signature(signature)) {
    const data = encodeDeployData({
      abi: erc6492SignatureValidatorAbi,
      bytecode: erc6492SignatureValidatorByteCode,
      args: [wallet, hash, signature],
    });
    const answer = await callQuietly(chain, { data, gas: COUNTERFACTUAL_GAS });
    return answer !== undefined && BigInt(answer) === 1n;
  }
  const code = await chain.getCode({ address: wallet }).catch((cause: unknown) => {
    throw new ChainUnavailable('the chain does not answer', { cause });
  });
  if (code === undefined || code === '0x') return false;
  const data = encodeFunctionData({ abi: ERC1271, functionName: 'isValidSignature', args: [hash, signature] });
  const answer = await callQuietly(chain, { to: wallet, data, gas: CONTRACT_GAS });
  return answer?.slice(0, 10) === ERC1271_MAGIC && answer.length === 66;
}

/** A contract that reverts or burns all its gas has not said yes. */
async function callQuietly(chain: ChainReader, call: { to?: Hex; data: Hex; gas: bigint }): Promise<Hex | undefined> {
  const { data } = await chain.call(call).catch(() => ({ data: undefined }));
  return data === undefined || data === '0x' ? undefined : data;
}
