/**
 * The deployment as a list of transactions. Addresses follow from the deployer and its nonces, so the whole list is
 * known before the first transaction is sent, and a second run makes the same one.
 */
import {
  concatHex,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  keccak256,
  stringToHex,
  toHex,
  type Address,
  type Hex,
} from 'viem';
import { TEST_ASSETS, TEST_PAIRS } from './assets.ts';
import type { DeployedToken, Deployment } from './deployment.ts';
import { exchangeVaultAbi, faucetAbi, testTokenAbi, wsosoAbi } from './generated/abi.ts';
import { exchangeVaultBytecode, faucetBytecode, testTokenBytecode, wsosoBytecode } from './generated/bytecode.ts';
import { role } from './roles.ts';

export interface PlanOptions {
  readonly chainId: number;
  readonly deployer: Address;
  readonly firstNonce: number;
  readonly fromBlock: number;
  /** Signs withdrawals and sends faucet claims. */
  readonly operator: Address;
  readonly pauser: Address;
  /** Lists further assets and pairs; the deployer lists the first, and gives the role up. */
  readonly lister: Address;
  /** Between the request of a withdrawal and its payout. 0 pays without a request. */
  readonly disputeSeconds: number;
  /** Native coin sent to the faucet for the claims it will pay. */
  readonly faucetStock: bigint;
  /** Native coin that one claim sends to the wallet. */
  readonly faucetGas: bigint;
  readonly dailyClaims: bigint;
  /** First liquidity: minted and deposited for these accounts. */
  readonly deposits: readonly FirstDeposit[];
}

export interface FirstDeposit {
  readonly recipient: Address;
  readonly code: string;
  /** Atoms. */
  readonly amount: bigint;
}

export interface Call {
  readonly name: string;
  /** Absent: creates a contract. */
  readonly to?: Address;
  readonly data: Hex;
  readonly value: bigint;
  readonly gas: bigint;
}

export interface Plan {
  readonly calls: readonly Call[];
  readonly deployment: Deployment;
  readonly digest: Hex;
}

/** The addresses are known before the number of transactions is. */
type Created = Omit<Deployment, 'setUp'>;

const CREATION_GAS = 5_000_000n;
const CALL_GAS = 400_000n;

export function deploymentPlan(options: PlanOptions): Plan {
  const { deployment: created, creations } = contractCreations(options);
  const calls = [
    ...creations,
    ...vaultSetup(created, options),
    ...faucetSetup(created, options),
    ...options.deposits.flatMap((deposit) => firstDeposit(created, options.deployer, deposit)),
  ];
  const setUp = { deployer: options.deployer, nextNonce: options.firstNonce + calls.length };
  const deployment = { ...created, setUp };
  return { calls, deployment, digest: digestOf(calls) };
}

export const digestOf = (calls: readonly Call[]): Hex =>
  keccak256(concatHex(calls.flatMap((call) => [call.to ?? '0x', call.data, toHex(call.value)])));

/** Creations come first: the nonce of each gives its address. */
function contractCreations(options: PlanOptions): { deployment: Created; creations: readonly Call[] } {
  const creations: Call[] = [];
  function create(name: string, data: Hex): Address {
    const nonce = BigInt(options.firstNonce + creations.length);
    creations.push({ name: `create ${name}`, data, value: 0n, gas: CREATION_GAS });
    return getContractAddress({ from: options.deployer, nonce });
  }

  const wrappedNative = create('WSOSO', encodeDeployData({ abi: wsosoAbi, bytecode: wsosoBytecode }));
  const tokens = TEST_ASSETS.map(({ code, name, decimals }): DeployedToken => {
    if (code === 'WSOSO') return { code, address: wrappedNative, decimals };
    const args = [name, code, decimals, options.deployer] as const;
    return { code, address: create(code, encodeDeployData({ abi: testTokenAbi, bytecode: testTokenBytecode, args })), decimals };
  });
  const vault = create(
    'vault',
    encodeDeployData({
      abi: exchangeVaultAbi,
      bytecode: exchangeVaultBytecode,
      args: [options.deployer, wrappedNative, BigInt(options.disputeSeconds)],
    }),
  );
  const faucet = create(
    'faucet',
    encodeDeployData({
      abi: faucetAbi,
      bytecode: faucetBytecode,
      args: [options.deployer, vault, wrappedNative],
    }),
  );
  const pairs = TEST_PAIRS.map(([base, quote]) => ({ base, quote }));
  const { chainId, fromBlock, disputeSeconds } = options;
  return { creations, deployment: { chainId, fromBlock, vault, faucet, wrappedNative, tokens, pairs, disputeSeconds } };
}

function vaultSetup(deployment: Created, options: PlanOptions): readonly Call[] {
  const abi = exchangeVaultAbi;
  const grants = [
    { name: 'LISTER_ROLE', account: options.deployer },
    { name: 'OPERATOR_ROLE', account: options.operator },
    { name: 'PAUSER_ROLE', account: options.pauser },
  ] as const;
  return [
    ...grants.map(({ name, account }) =>
      call(`vault: grant ${name}`, deployment.vault, encodeFunctionData({ abi, functionName: 'grantRole', args: [role(name), account] })),
    ),
    ...TEST_ASSETS.map(({ code, decimals, hourlyCap, dailyCap }) =>
      call(
        `vault: list ${code}`,
        deployment.vault,
        encodeFunctionData({
          abi,
          functionName: 'createAsset',
          args: [tokenOf(deployment, code), stringToHex(code, { size: 32 }), decimals, { hourly: hourlyCap, daily: dailyCap }],
        }),
      ),
    ),
    ...deployment.pairs.map(({ base, quote }) =>
      call(
        `vault: pair ${base}_${quote}`,
        deployment.vault,
        encodeFunctionData({
          abi,
          functionName: 'createPair',
          args: [tokenOf(deployment, base), tokenOf(deployment, quote)],
        }),
      ),
    ),
    ...(options.lister === options.deployer ? [] : listerChange(deployment, options)),
  ];
}

function listerChange({ vault }: Created, { lister, deployer }: PlanOptions): readonly Call[] {
  const changes = [
    { functionName: 'grantRole', account: lister },
    { functionName: 'renounceRole', account: deployer },
  ] as const;
  return changes.map(({ functionName, account }) =>
    call(
      `vault: ${functionName} LISTER_ROLE`,
      vault,
      encodeFunctionData({ abi: exchangeVaultAbi, functionName, args: [role('LISTER_ROLE'), account] }),
    ),
  );
}

function faucetSetup(deployment: Created, options: PlanOptions): readonly Call[] {
  const { faucet } = deployment;
  const abi = faucetAbi;
  const grants = TEST_ASSETS.map(({ code, faucetGrant }) => ({ token: tokenOf(deployment, code), amount: faucetGrant }));
  return [
    ...deployment.tokens
      .filter((token) => token.address !== deployment.wrappedNative)
      .flatMap((token) => [
        call(`${token.code}: the faucet mints`, token.address, mintRole(faucet)),
        call(`${token.code}: the deployer mints`, token.address, mintRole(options.deployer)),
      ]),
    call(
      'faucet: grant OPERATOR_ROLE',
      faucet,
      encodeFunctionData({
        abi,
        functionName: 'grantRole',
        args: [role('OPERATOR_ROLE'), options.operator],
      }),
    ),
    call('faucet: set grants', faucet, encodeFunctionData({ abi, functionName: 'setGrants', args: [grants, options.faucetGas] })),
    call('faucet: set daily claims', faucet, encodeFunctionData({ abi, functionName: 'setDailyClaims', args: [options.dailyClaims] })),
    { ...call('faucet: stock', faucet, '0x'), value: options.faucetStock },
  ];
}

function mintRole(account: Address): Hex {
  return encodeFunctionData({ abi: testTokenAbi, functionName: 'grantRole', args: [role('MINTER_ROLE'), account] });
}

export function firstDeposit(deployment: Created, deployer: Address, { recipient, code, amount }: FirstDeposit): readonly Call[] {
  const { vault, wrappedNative } = deployment;
  const token = tokenOf(deployment, code);
  if (token === wrappedNative) {
    const data = encodeFunctionData({ abi: exchangeVaultAbi, functionName: 'depositNative', args: [recipient] });
    return [{ ...call(`deposit ${code}`, vault, data), value: amount }];
  }
  const abi = testTokenAbi;
  return [
    call(`mint ${code}`, token, encodeFunctionData({ abi, functionName: 'mint', args: [deployer, amount] })),
    call(`approve ${code}`, token, encodeFunctionData({ abi, functionName: 'approve', args: [vault, amount] })),
    call(
      `deposit ${code}`,
      vault,
      encodeFunctionData({
        abi: exchangeVaultAbi,
        functionName: 'depositERC20',
        args: [token, amount, recipient],
      }),
    ),
  ];
}

/** Test tokens for the house, minted after the deployment: `donated` goes to the vault itself, without a deposit. */
export interface HouseMoney {
  readonly code: string;
  /** Atoms. */
  readonly donated: bigint;
  readonly deposits: readonly Omit<FirstDeposit, 'code'>[];
}

/** The deployer's transactions after its deployment, always in this order: so its nonce says how far they are. */
export function houseMoneyCalls(deployment: Created, deployer: Address, money: readonly HouseMoney[]): readonly Call[] {
  const { vault } = deployment;
  const abi = testTokenAbi;
  return money.flatMap(({ code, donated, deposits }) => {
    const token = tokenOf(deployment, code);
    const total = deposits.reduce((sum, { amount }) => sum + amount, 0n);
    return [
      call(`mint ${code} for the vault`, token, encodeFunctionData({ abi, functionName: 'mint', args: [vault, donated] })),
      call(`mint ${code}`, token, encodeFunctionData({ abi, functionName: 'mint', args: [deployer, total] })),
      call(`approve ${code}`, token, encodeFunctionData({ abi, functionName: 'approve', args: [vault, total] })),
      ...deposits.map(({ recipient, amount }) =>
        call(
          `deposit ${code}`,
          vault,
          encodeFunctionData({ abi: exchangeVaultAbi, functionName: 'depositERC20', args: [token, amount, recipient] }),
        ),
      ),
    ];
  });
}

function call(name: string, to: Address, data: Hex): Call {
  return { name, to, data, value: 0n, gas: CALL_GAS };
}

function tokenOf(deployment: Created, code: string): Address {
  const token = deployment.tokens.find((candidate) => candidate.code === code);
  if (token === undefined) throw new Error(`the deployment has no ${code}`);
  return token.address;
}
