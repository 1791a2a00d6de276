/** GeeTest, version 4: its page hands over four fields, and its server says whether they are good. */
import { createHmac } from 'node:crypto';

const PATIENCE_MS = 5_000;
const FIELDS = ['lot_number', 'captcha_output', 'pass_token', 'gen_time'] as const;

export interface GeetestSite {
  readonly id: string;
  readonly key: string;
  /** Of the script by which pages show it. */
  readonly script: string;
  /** The origin that says whether an answer is good. */
  readonly api: string;
}

/** The lot number of an answer that GeeTest takes; undefined when it does not. Rejects when it can not be reached. */
export async function geetestLot(
  answer: string,
  { id, key, api }: GeetestSite,
  fetch: typeof globalThis.fetch,
): Promise<string | undefined> {
  const fields = readFields(answer);
  const lot = fields?.get('lot_number');
  if (fields === undefined || lot === undefined || lot === null) return undefined;
  fields.set('sign_token', createHmac('sha256', key).update(lot).digest('hex'));
  const response = await fetch(`${api}/validate?captcha_id=${encodeURIComponent(id)}`, {
    method: 'POST',
    body: fields,
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!response.ok) throw new Error(`GeeTest answered ${response.status}`);
  const { result } = (await response.json()) as { result?: unknown };
  return result === 'success' ? lot : undefined;
}

function readFields(answer: string): URLSearchParams | undefined {
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(answer, 'base64').toString('utf8'));
  } catch {
    return undefined;
  }
  if (typeof read !== 'object' || read === null) return undefined;
  const fields = new URLSearchParams();
  for (const name of FIELDS) {
    const value: unknown = Object.hasOwn(read, name) ? Reflect.get(read, name) : undefined;
    if (typeof value !== 'string' || value === '') return undefined;
    fields.set(name, value);
  }
  return fields;
}
