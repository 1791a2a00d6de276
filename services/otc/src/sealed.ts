/** Texts under the key of their author. */
import type { AccountId } from '@orrery/units';
import type { PersonKeysPort } from './ports.ts';

/** @param what is bound to the bytes: they open as this only. */
export const sealed = (keys: PersonKeysPort, account: AccountId, what: string, content: unknown): Promise<Buffer> =>
  keys.encrypt(account, Buffer.from(JSON.stringify(content)), what);

/** Undefined where the key is erased. */
export async function opened(keys: PersonKeysPort, account: AccountId, what: string, bytes: Buffer): Promise<unknown> {
  const content = await keys.decrypt(account, bytes, what);
  return content === undefined ? undefined : (JSON.parse(content.toString('utf8')) as unknown);
}

/** The same of what is a text alone. */
export async function openedText(keys: PersonKeysPort, account: AccountId, what: string, bytes: Buffer): Promise<string | undefined> {
  const text = await opened(keys, account, what, bytes);
  return typeof text === 'string' ? text : undefined;
}
