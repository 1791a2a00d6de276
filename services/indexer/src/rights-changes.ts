/** Changes of who may do what with our contracts, and of how much may leave the vault, that the deployment did not make. */
import { type Deployment, exchangeVaultAbi, faucetAbi, roleName, testTokenAbi } from '@orrery/contracts';
import { decodeEventLog, type Hash, type Log, toEventSelector, type TransactionReceipt } from 'viem';

export interface RightsChange {
  readonly txHash: Hash;
  /** Among the logs of its transaction. */
  readonly logIndex: number;
  /** What happened, without its block. */
  readonly sentence: string;
}

const NAMES: ReadonlySet<string> = new Set([
  'RoleGranted',
  'RoleRevoked',
  'RoleAdminChanged',
  'OutflowCapsSet',
  'GrantsSet',
  'DailyClaimsSet',
]);

/** The first topics of the events that are looked at: contracts emit others, which are not decoded. */
const TOPICS: ReadonlySet<string> = new Set(
  [...exchangeVaultAbi, ...faucetAbi].flatMap((item) => (item.type === 'event' && NAMES.has(item.name) ? [toEventSelector(item)] : [])),
);

interface Contract {
  readonly name: string;
  readonly abi: typeof exchangeVaultAbi | typeof faucetAbi | typeof testTokenAbi;
}

/** The transaction that the receipt is of. */
interface Origin {
  readonly from: string;
  readonly nonce: number;
}

export function rightsChanges(origin: Origin, receipt: TransactionReceipt | undefined, deployment: Deployment): readonly RightsChange[] {
  if (receipt === undefined || receipt.status !== 'success' || isOfDeployment(origin, deployment)) return [];
  return receipt.logs.flatMap((log, logIndex) => {
    if (!TOPICS.has(log.topics[0] ?? '')) return [];
    const contract = contractAt(log.address.toLowerCase(), deployment);
    const sentence = contract === undefined ? undefined : sentenceOf(log, contract, deployment);
    return sentence === undefined ? [] : [{ txHash: receipt.transactionHash, logIndex, sentence }];
  });
}

function isOfDeployment({ from, nonce }: Origin, { setUp }: Deployment): boolean {
  return from.toLowerCase() === setUp.deployer.toLowerCase() && nonce < setUp.nextNonce;
}

function contractAt(address: string, { vault, faucet, tokens }: Deployment): Contract | undefined {
  if (address === vault.toLowerCase()) return { name: 'the vault', abi: exchangeVaultAbi };
  if (address === faucet.toLowerCase()) return { name: 'the faucet', abi: faucetAbi };
  const token = tokens.find((candidate) => candidate.address.toLowerCase() === address);
  return token === undefined ? undefined : { name: `the token ${token.code}`, abi: testTokenAbi };
}

function sentenceOf(log: Log<bigint, number, false>, { name, abi }: Contract, deployment: Deployment): string | undefined {
  const event = decodeEventLog({ abi, topics: log.topics, data: log.data });
  const args = event.args as Readonly<Record<string, unknown>>;
  switch (event.eventName) {
    case 'RoleGranted':
      return `${name} granted ${roleName(String(args['role']))} to ${String(args['account'])}`;
    case 'RoleRevoked':
      return `${name} revoked ${roleName(String(args['role']))} of ${String(args['account'])}`;
    case 'RoleAdminChanged':
      return `${name} changed who grants ${roleName(String(args['role']))}`;
    case 'OutflowCapsSet': {
      const token = String(args['token']).toLowerCase();
      const code = deployment.tokens.find(({ address }) => address.toLowerCase() === token)?.code ?? token;
      return `${name} set the caps of ${code} to ${String(args['hourly'])} atoms an hour and ${String(args['daily'])} atoms a day`;
    }
    case 'GrantsSet':
      return `${name} changed what a claim pays`;
    case 'DailyClaimsSet':
      return `${name} set its claims to ${String(args['dailyClaims'])} a day`;
    default:
      return undefined;
  }
}
