/** `node contracts/src/deploy-command.ts <file>`: the contracts on the chain of ORRERY_RPC_URL, by the key ORRERY_DEPLOYER_KEY, for three other accounts. */
import { type Address, createPublicClient, getAddress, http, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { deploymentFile, ensureDeployed } from './deploy.ts';

const FAUCET = { faucetStock: parseEther('1000'), faucetGas: parseEther('0.1'), dailyClaims: 500n };

const USAGE = 'ORRERY_RPC_URL=… ORRERY_DEPLOYER_KEY=0x… ORRERY_OPERATOR_ADDRESS=0x… ORRERY_PAUSER_ADDRESS=0x… ORRERY_LISTER_ADDRESS=0x…';

function wanted(name: string, text = process.env[name] ?? ''): string {
  if (text !== '') return text;
  process.stderr.write(`${name} is missing: ${USAGE} node contracts/src/deploy-command.ts <file>\n`);
  return process.exit(2);
}

const address = (name: string): Address => getAddress(wanted(name));

const deployment = await ensureDeployed({
  client: createPublicClient({ transport: http(wanted('ORRERY_RPC_URL')) }),
  deployer: privateKeyToAccount(wanted('ORRERY_DEPLOYER_KEY') as `0x${string}`),
  operator: address('ORRERY_OPERATOR_ADDRESS'),
  pauser: address('ORRERY_PAUSER_ADDRESS'),
  lister: address('ORRERY_LISTER_ADDRESS'),
  disputeSeconds: 120,
  deposits: [],
  store: deploymentFile(wanted('the deployment file', process.argv[2] ?? '')),
  ...FAUCET,
});
process.stdout.write(`${JSON.stringify(deployment, undefined, 2)}\n`);
