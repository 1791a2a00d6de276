import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { foundersOf } from './chain-signers.ts';

const operator = privateKeyToAccount(generatePrivateKey()).address;
const key = generatePrivateKey();
const deployer = privateKeyToAccount(key).address;
const pauser = privateKeyToAccount(generatePrivateKey()).address;
const lister = privateKeyToAccount(generatePrivateKey()).address;
const settings = { operator: undefined, deployer: { key }, pauser, lister, url: undefined } as const;

test('the four roles of a deployment are four accounts', async () => {
  expect(await foundersOf(settings, operator)).toMatchObject({ deployer: { address: deployer }, pauser, lister });
});

test.each([
  ['the operator deploys', settings, deployer],
  ['the pauser is the operator', { ...settings, pauser: operator }, operator],
  ['the lister is the deployer', { ...settings, lister: deployer }, operator],
  ['the pauser lists', { ...settings, lister: pauser }, operator],
])('one account with two roles deploys nothing: %s', async (_, given, payer) => {
  await expect(foundersOf(given, payer)).rejects.toThrow('must be four accounts');
});

test('a deployment without its accounts names the settings that it needs', async () => {
  await expect(foundersOf({ ...settings, pauser: undefined }, operator)).rejects.toThrow('ORRERY_PAUSER_ADDRESS');
});
