/** One block as the node reports it, accepted only when its parts agree with each other. */
import { exchangeVaultAbi, NATIVE_TOKEN, type Deployment } from '@orrery/contracts';
import { type Address, assert, parseAddress } from '@orrery/units';
import { decodeEventLog, type Hash, type Log, type PublicClient, type TransactionReceipt } from 'viem';
import { faultOfLogs } from './block-logs.ts';
import { rightsChanges, type RightsChange } from './rights-changes.ts';

export interface ChainBlock {
  readonly number: number;
  readonly hash: Hash;
  readonly parentHash: Hash;
  /** Unix milliseconds. */
  readonly time: number;
  readonly transactions: readonly ChainTransaction[];
  readonly deposits: readonly ChainDeposit[];
  readonly releases: readonly ChainRelease[];
  readonly requests: readonly ChainRequest[];
  /** Of roles and caps, since the deployment. */
  readonly rights: readonly RightsChange[];
}

export interface ChainTransaction {
  readonly hash: Hash;
  readonly position: number;
  readonly sender: Address;
  readonly recipient: Address | null;
  readonly nonce: number;
  readonly value: bigint;
  readonly status: 'success' | 'failed';
  /** Whether it carries more than a value: a call, or a contract. */
  readonly hasData: boolean;
  /** The first four bytes of a call's input, which name the function; null without any. */
  readonly selector: string | null;
}

export interface ChainDeposit {
  readonly txHash: Hash;
  /** Among the logs of its transaction: the same wherever a reorganisation puts it. */
  readonly logIndex: number;
  readonly address: Address;
  readonly token: Address;
  readonly amount: bigint;
}

export interface ChainRelease {
  readonly withdrawalId: Hash;
  readonly txHash: Hash;
  readonly token: Address;
  readonly recipient: Address;
  readonly amount: bigint;
}

export interface ChainRequest extends ChainRelease {
  /** Unix seconds of chain time. */
  readonly deadline: number;
  readonly releasableAt: number;
}

/** Of the text of four bytes: 0x and eight digits. */
const SELECTOR_LENGTH = 10;

/** The node's answers contradict each other, as while it changes its branch: ask again. */
export class ChainInconsistent extends Error {
  override readonly name = 'ChainInconsistent';
}

export async function readBlock(client: PublicClient, deployment: Deployment, number: number): Promise<ChainBlock> {
  const block = await client.getBlock({ blockNumber: BigInt(number), includeTransactions: true });
  // A block without transactions has no receipts to ask for.
  const receipts = block.transactions.length === 0 ? [] : await client.getBlockReceipts({ blockHash: block.hash });
  if (receipts.length !== block.transactions.length) {
    throw new ChainInconsistent(`block ${number} has ${block.transactions.length} transactions and ${receipts.length} receipts`);
  }
  const transactions = block.transactions.map((transaction, position): ChainTransaction => {
    const receipt = receipts[position];
    if (receipt === undefined || receipt.blockHash !== block.hash || receipt.transactionHash !== transaction.hash) {
      throw new ChainInconsistent(`a receipt of block ${number} is of another block or transaction`);
    }
    const { hash, nonce, value } = transaction;
    const recipient = receipt.contractAddress ?? transaction.to;
    return {
      hash,
      position,
      nonce,
      value,
      sender: lowerCase(transaction.from),
      recipient: recipient === null ? null : lowerCase(recipient),
      status: receipt.status === 'success' ? 'success' : 'failed',
      hasData: transaction.input !== '0x',
      selector: transaction.to === null || transaction.input.length < SELECTOR_LENGTH ? null : transaction.input.slice(0, SELECTOR_LENGTH),
    };
  });
  const fault = faultOfLogs(receipts, block.logsBloom);
  if (fault !== undefined) throw new ChainInconsistent(`block ${number} is reported with ${fault}`);
  const vaultLogs = receipts.filter((receipt) => receipt.status === 'success').flatMap((receipt) => logsOf(receipt, deployment.vault));
  return {
    number,
    hash: block.hash,
    parentHash: block.parentHash,
    time: Number(block.timestamp) * 1000,
    transactions,
    deposits: vaultLogs.flatMap(depositOf),
    releases: vaultLogs.flatMap((entry) => releaseOf(entry, deployment)),
    requests: vaultLogs.flatMap((entry) => requestOf(entry, deployment)),
    rights: block.transactions.flatMap((transaction, position) => rightsChanges(transaction, receipts[position], deployment)),
  };
}

interface VaultLog {
  readonly txHash: Hash;
  readonly logIndex: number;
  readonly event: ReturnType<typeof decodeVaultEvent>;
}

/** An event with the right name from any other contract is nothing to us. */
function logsOf(receipt: TransactionReceipt, vault: Address | Deployment['vault']): readonly VaultLog[] {
  return receipt.logs.flatMap((log, logIndex) => {
    if (lowerCase(log.address) !== lowerCase(vault)) return [];
    if (log.blockHash !== receipt.blockHash) throw new ChainInconsistent(`a log of ${receipt.transactionHash} is of another block`);
    return [{ txHash: receipt.transactionHash, logIndex, event: decodeVaultEvent(log) }];
  });
}

function decodeVaultEvent(log: Log<bigint, number, false>) {
  return decodeEventLog({ abi: exchangeVaultAbi, topics: log.topics, data: log.data });
}

function depositOf({ event, txHash, logIndex }: VaultLog): readonly ChainDeposit[] {
  if (event.eventName !== 'Deposited') return [];
  const { account, token, amount } = event.args;
  return [{ txHash, logIndex, address: lowerCase(account), token: lowerCase(token), amount }];
}

function releaseOf({ event, txHash }: VaultLog, deployment: Deployment): readonly ChainRelease[] {
  if (event.eventName !== 'Released') return [];
  const { id, token, to, amount } = event.args;
  return [{ withdrawalId: id, txHash, token: paidToken(token, deployment), recipient: lowerCase(to), amount }];
}

function requestOf({ event, txHash }: VaultLog, deployment: Deployment): readonly ChainRequest[] {
  if (event.eventName !== 'Requested') return [];
  const { id, token, to, amount, deadline, releasableAt } = event.args;
  const what = { withdrawalId: id, txHash, token: paidToken(token, deployment), recipient: lowerCase(to), amount };
  // A deadline that never ends is beyond what a number holds, and signed by nobody here.
  const latest = BigInt(Number.MAX_SAFE_INTEGER);
  return [{ ...what, deadline: Number(deadline < latest ? deadline : latest), releasableAt: Number(releasableAt) }];
}

/** Native coin leaves the stock of its wrapped token, so it is reported as that token. */
function paidToken(token: string, { wrappedNative }: Deployment): Address {
  return lowerCase(lowerCase(token) === lowerCase(NATIVE_TOKEN) ? wrappedNative : token);
}

/** The form in which addresses are kept and compared. */
export function lowerCase(text: string): Address {
  const address = parseAddress(text);
  assert(address !== undefined, `not an address: ${text}`);
  return address;
}
