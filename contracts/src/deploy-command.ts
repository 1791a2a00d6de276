/** `node contracts/src/deploy-command.ts <file>`: the contracts on the chain of ORRERY_RPC_URL, by the key ORRERY_OPERATOR_KEY. */
import { createPublicClient, http, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { ensureDeployed } from './deploy.ts';

const FAUCET = { faucetStock: parseEther('1000'), faucetGas: parseEther('0.1'), dailyClaims: 500n };

function wanted(name: string, text = ''): string {
  if (text !== '') return text;
  process.stderr.write(`${name} is missing: ORRERY_RPC_URL=… ORRERY_OPERATOR_KEY=0x… node contracts/src/deploy-command.ts <file>\n`);
  return process.exit(2);
}

const deployer = privateKeyToAccount(wanted('ORRERY_OPERATOR_KEY', process.env['ORRERY_OPERATOR_KEY']) as `0x${string}`);
const deployment = await ensureDeployed({
  client: createPublicClient({ transport: http(wanted('ORRERY_RPC_URL', process.env['ORRERY_RPC_URL'])) }),
  deployer,
  operator: deployer.address,
  pauser: deployer.address,
  deposits: [],
  file: wanted('the deployment file', process.argv[2]),
  ...FAUCET,
});
process.stdout.write(`${JSON.stringify(deployment, undefined, 2)}\n`);
