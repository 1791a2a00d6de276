/** An operator with a device and a browser, as the server sees them: proves a passkey, keeps the cookie. */
import { createClient, sessionCredentials, type Client } from '@orrery/sdk';
import { PasskeyDevice } from '../../services/foundation/src/testing/passkey-device.ts';
import { browserFetch } from './person.ts';

export interface Joining {
  readonly code: string;
  readonly name: string;
  /** The address a proxy in front says that the calls come from. */
  readonly from: string;
}

export interface Joined {
  readonly client: Client;
  /** Of the session, as a browser sends it. */
  cookie(): string;
}

export async function join(url: string, { code, name, from }: Joining): Promise<Joined> {
  const jar = new Map<string, string>();
  const fetch = browserFetch(url, from, jar);
  const client = createClient({ baseUrl: url, credentials: sessionCredentials(() => undefined), fetch });
  const { challenge } = await client.passkeyCreation({ code, name });
  await client.registerOperator({ code, ...new PasskeyDevice().make(challenge, { origin: url }) });
  return { client, cookie: () => [...jar].map(([cookie, value]) => `${cookie}=${value}`).join('; ') };
}
