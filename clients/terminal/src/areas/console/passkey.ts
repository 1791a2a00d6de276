/** Makes a passkey, or proves one: the browser asks the person, the exchange believes nothing else. */
import { consoleHttp, enterAs, setOperator } from '../../platform/data/operators.ts';
import { loadCode } from '../../kit/ui/load-code.ts';

const passkeys = () => loadCode(() => import('../../platform/factors/passkey.ts'));

export async function register({ code, name }: { readonly code: string; readonly name: string }): Promise<void> {
  const optionsJSON = await consoleHttp.load('passkeyCreation', { body: { code, name } });
  const { makePasskey } = await passkeys();
  enterAs(await consoleHttp.load('registerOperator', { body: { code, ...(await makePasskey(optionsJSON)) } }));
}

export async function signIn(): Promise<void> {
  const optionsJSON = await consoleHttp.load('passkeyRequest', { body: {} });
  const { provePasskey } = await passkeys();
  enterAs(await consoleHttp.load('signInOperator', { body: await provePasskey(optionsJSON) }));
}

export async function signOut(): Promise<void> {
  await consoleHttp.call('signOutOperator', { body: {} });
  setOperator(null);
}
