/** A raw transaction, read and judged by what it says of itself: before the node, the log or an account is looked at. */
import { RpcError } from '@orrery/contracts/anvil';
import { keccak256, parseTransaction, recoverTransactionAddress, size, type Address, type Hash, type Hex } from 'viem';

export interface SignedTransaction {
  readonly raw: Hex;
  readonly hash: Hash;
  readonly sender: Address;
  readonly nonce: number;
  /** Wei for one unit of gas, at most. */
  readonly maxFee: bigint;
  /** Wei that the sender must own: the value and all of the gas. */
  readonly cost: bigint;
}

export const RAW_TRANSACTION_CHARS = 2 + 2 * 128 * 1024;
/** Of a block: more never fits into one. */
export const GAS_MAX = 30_000_000n;
/** EIP-3860. */
const INIT_CODE_BYTES = 49_152;

const INVALID_PARAMS = -32602;
const REJECTED = -32003;

type Parsed = ReturnType<typeof parseTransaction>;

/** @throws RpcError for what is malformed, unsigned, signed for another chain or can never be mined. */
export async function readTransaction(raw: unknown, chainId: number): Promise<SignedTransaction> {
  if (!isHex(raw) || raw.length > RAW_TRANSACTION_CHARS) throw invalid('a raw transaction is hex of at most 128 KiB');
  const parsed = parsedOrRefuse(raw);
  // One without a chain id could be replayed here from any other chain.
  if (parsed.chainId !== chainId) throw invalid(`the transaction is signed for another chain than ${chainId}`);
  const { gas = 0n, value = 0n, nonce = 0 } = parsed;
  const maxFee = maxFeeOf(parsed);
  checkGas(parsed, gas);
  return { raw, hash: keccak256(raw), sender: await signerOf(raw), nonce, maxFee, cost: value + gas * maxFee };
}

function parsedOrRefuse(raw: Hex): Parsed {
  try {
    return parseTransaction(raw);
  } catch {
    throw invalid('the raw transaction can not be decoded');
  }
}

async function signerOf(raw: Hex): Promise<Address> {
  try {
    const sender = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` });
    return sender.toLowerCase() as Hex;
  } catch {
    throw invalid('the transaction has no valid signature');
  }
}

function maxFeeOf({ type, gasPrice, maxFeePerGas, maxPriorityFeePerGas = 0n }: Parsed): bigint {
  if (type === 'legacy' || type === 'eip2930') return gasPrice ?? 0n;
  if (type !== 'eip1559') throw invalid('the transaction is of a type that this chain does not take');
  const maxFee = maxFeePerGas ?? 0n;
  if (maxPriorityFeePerGas > maxFee) throw rejected('max priority fee per gas higher than max fee per gas');
  return maxFee;
}

/** The node would take one with too little gas for its own bytes, and silently drop it when it mines. */
function checkGas(parsed: Parsed, gas: bigint): void {
  if (gas > GAS_MAX) throw rejected(`gas limit above that of a block, ${GAS_MAX}`);
  if (isCreation(parsed) && size(parsed.data ?? '0x') > INIT_CODE_BYTES) throw rejected('max initcode size exceeded');
  const least = intrinsicGas(parsed);
  if (gas < least) throw rejected(`intrinsic gas too low: the transaction needs ${least} before it runs`);
}

const isCreation = ({ to }: Parsed): boolean => to === undefined || to === null;

/** What every transaction pays before its first instruction (Shanghai and Cancun). */
function intrinsicGas(parsed: Parsed): bigint {
  const bytes = Buffer.from((parsed.data ?? '0x').slice(2), 'hex');
  const zeros = bytes.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0);
  const creation = isCreation(parsed) ? 32_000 + 2 * Math.ceil(bytes.length / 32) : 0;
  const entries = 'accessList' in parsed ? (parsed.accessList ?? []) : [];
  const access = entries.reduce((sum, { storageKeys }) => sum + 2_400 + 1_900 * storageKeys.length, 0);
  return BigInt(21_000 + creation + 4 * zeros + 16 * (bytes.length - zeros) + access);
}

function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-fA-F]+$/.test(value);
}

function invalid(message: string): RpcError {
  return new RpcError({ code: INVALID_PARAMS, message });
}

function rejected(message: string): RpcError {
  return new RpcError({ code: REJECTED, message });
}
