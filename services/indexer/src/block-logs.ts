/**
 * Whether the logs that a node reports for a block are complete, unique and in order. A deposit is identified by its log's index:
 * a log omitted, repeated or moved would lose the deposit, or duplicate it.
 */
import { type Hex, hexToBytes, keccak256 } from 'viem';

export interface NodeLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly logIndex: number;
  readonly transactionHash: Hex;
}

export interface NodeReceipt {
  readonly transactionHash: Hex;
  readonly logs: readonly NodeLog[];
}

const BLOOM_BYTES = 256;
/** How chains that keep no such filter fill it. */
const NO_FILTER = `0x${'0'.repeat(2 * BLOOM_BYTES)}`;

/**
 * @param receipts of a whole block. @param filter the header's bloom filter over the addresses and topics of all its logs.
 * @returns what is wrong; undefined when nothing is.
 */
export function faultOfLogs(receipts: readonly NodeReceipt[], filter: Hex | null): string | undefined {
  const logs = receipts.flatMap((receipt) =>
    receipt.logs.map((log) => ({ ...log, isOwn: log.transactionHash === receipt.transactionHash })),
  );
  if (logs.some(({ logIndex, isOwn }, place) => logIndex !== place || !isOwn)) return 'logs that are missing, repeated or out of place';
  if (filter === null || filter === NO_FILTER || filter === bloomOf(logs)) return undefined;
  return 'other logs than its header speaks of';
}

/** Three bits of 2,048 for each address and topic, as in the Yellow Paper, 4.4.1. */
function bloomOf(logs: readonly NodeLog[]): Hex {
  const bloom = new Uint8Array(BLOOM_BYTES);
  for (const item of new Set(logs.flatMap(({ address, topics }) => [address.toLowerCase(), ...topics]))) {
    const hash = hexToBytes(keccak256(item as Hex));
    for (const pair of [0, 2, 4]) {
      const bit = (((hash[pair] ?? 0) << 8) | (hash[pair + 1] ?? 0)) & (8 * BLOOM_BYTES - 1);
      const byte = BLOOM_BYTES - 1 - (bit >> 3);
      bloom[byte] = (bloom[byte] ?? 0) | (1 << (bit & 7));
    }
  }
  return `0x${Buffer.from(bloom).toString('hex')}`;
}
