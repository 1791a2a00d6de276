/** A program with a local chain and people who send: killed at random by `local-chain.test.ts`, which reads what it prints. */
import { setTimeout as delay } from 'node:timers/promises';
import { createPublicClient, parseGwei, type Hash, type Hex } from 'viem';
import { chainKeys } from '../chain-keys.ts';
import { startLocalChain } from '../local-chain.ts';
import { chainTransport } from '../transport.ts';

const [directory = '', senders = '1'] = process.argv.slice(2);
const { operator, deployer, pauser, marketMaker } = chainKeys(directory);
const people = [operator, deployer, pauser, marketMaker].slice(0, Number(senders));
const chain = await startLocalChain({
  directory,
  chainId: 138565,
  allocations: people.map(({ address }) => ({ address, balance: 10n ** 24n })),
  onFailure(error) {
    console.log(`failed ${error.message}`);
    process.exit(1);
  },
  heartbeatMs: 200,
  minBlockIntervalMs: 0,
  segmentBytes: 4_000,
  snapshotEvery: 7,
});
const client = createPublicClient({ transport: chainTransport(chain) });

async function send(person: typeof operator): Promise<void> {
  for (let nonce = await client.getTransactionCount({ address: person.address, blockTag: 'pending' }); ; nonce += 1) {
    const serializedTransaction = await person.signTransaction({
      chainId: 138565,
      type: 'eip1559',
      nonce,
      gas: 21_000n,
      to: person.address,
      value: 1n,
      maxFeePerGas: parseGwei('1000'),
      maxPriorityFeePerGas: 1n,
    });
    console.log(`acknowledged ${await taken(serializedTransaction)}`);
  }
}

/** Refused while too many of the sender wait for a block: a transaction is never skipped. */
async function taken(serializedTransaction: Hex): Promise<Hash> {
  for (;;) {
    try {
      return await client.sendRawTransaction({ serializedTransaction });
    } catch (error) {
      if (!String(error).includes('wait for a block')) throw error;
      await delay(5);
    }
  }
}

async function look(): Promise<void> {
  for (let seen = -1; ;) {
    const { number, hash } = await client.getBlock();
    if (Number(number) !== seen) console.log(`block ${number} ${hash}`);
    seen = Number(number);
  }
}

console.log('started');
await Promise.all([look(), ...people.map(send)]);
