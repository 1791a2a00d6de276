/** Makes a passkey, or proves one: the browser asks the person, the exchange believes nothing else. */
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { consoleHttp, enterAs, setOperator } from '../data/operators.ts';

export async function register({ code, name }: { readonly code: string; readonly name: string }): Promise<void> {
  const optionsJSON = await consoleHttp.load('passkeyCreation', { body: { code, name } });
  const { id: credentialId, response } = await startRegistration({ optionsJSON });
  enterAs(
    await consoleHttp.load('registerOperator', {
      body: { code, credentialId, clientData: response.clientDataJSON, attestation: response.attestationObject },
    }),
  );
}

export async function signIn(): Promise<void> {
  const optionsJSON = await consoleHttp.load('passkeyRequest', { body: {} });
  const { id: credentialId, response } = await startAuthentication({ optionsJSON });
  const { clientDataJSON: clientData, authenticatorData, signature } = response;
  enterAs(await consoleHttp.load('signInOperator', { body: { credentialId, clientData, authenticatorData, signature } }));
}

export async function signOut(): Promise<void> {
  await consoleHttp.call('signOutOperator', { body: {} });
  setOperator(null);
}
