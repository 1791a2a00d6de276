/** The vault's events as a node reports them. */
import { exchangeVaultAbi, type Withdrawal } from '@orrery/contracts';
import { encodeAbiParameters, encodeEventTopics, type Address, type Hex } from 'viem';

export interface LogBody {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

export function depositedLog(
  vault: Address,
  { recipient, token, from, amount }: { recipient: Address; token: Address; from: Address; amount: bigint },
): LogBody {
  const topics = encodeEventTopics({ abi: exchangeVaultAbi, eventName: 'Deposited', args: { userId: 1n, account: recipient, token } });
  return {
    address: vault,
    topics: topicsOf(topics),
    data: encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [from, amount]),
  };
}

export function releasedLog(vault: Address, { id, token, to, amount }: Withdrawal): LogBody {
  const topics = encodeEventTopics({ abi: exchangeVaultAbi, eventName: 'Released', args: { id, token, to } });
  return { address: vault, topics: topicsOf(topics), data: encodeAbiParameters([{ type: 'uint256' }], [amount]) };
}

const topicsOf = (topics: readonly (Hex | readonly Hex[] | null)[]): readonly Hex[] =>
  topics.flatMap((topic) => (typeof topic === 'string' ? [topic] : []));
