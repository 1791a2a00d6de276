/** A3: who may do what, at the program as one process: `api/src/testing/authorisation.txt` and `operators.txt`. */
import { apiKeyStatement, STATEMENTS } from '@orrery/api';
import { ApiKeyCredentials, createClient, signInWithWallet } from '@orrery/sdk';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { program } from './authorisation/ground.ts';
import { oneProcess } from './authorisation/installation.ts';
import { describeMatrix } from './authorisation/matrix.ts';

describeMatrix(oneProcess);

test('a program that holds a wallet signs in by the SDK, accepts the terms, makes a key and signs out', async () => {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const session = await signInWithWallet({
    baseUrl: program.url,
    wallet: { address: wallet.address, signMessage: (message) => wallet.signMessage({ message }) },
  });
  expect(await session.client.accountInfo()).toMatchObject({ address: wallet.address.toLowerCase(), via: 'session' });
  const wish = { label: 'bot', permission: 'TRADE' } as const;
  const makeKey = async () =>
    session.client.createApiKey({ ...wish, ...(await session.sign({ purpose: 'api-key', statement: apiKeyStatement(wish) })) });
  await expect(makeKey()).rejects.toMatchObject({ reason: 'TermsNotAccepted' });
  const { message, signature } = await session.sign({ purpose: 'terms', statement: STATEMENTS.terms });
  await session.client.agree({ walletAddress: wallet.address, termsCode: 'TERMS', message, signature });
  const { accessKey, secret } = await makeKey();
  const byKey = createClient({ baseUrl: program.url, credentials: new ApiKeyCredentials({ accessKey, secret }) });
  expect(await byKey.accountInfo()).toMatchObject({ via: 'apiKey', permission: 'TRADE' });
  await session.signOut();
  await expect(session.client.accountInfo()).rejects.toMatchObject({ reason: 'NotSignedIn' });
});
