/** What the page of the exchange and the signing page say to each other, through `postMessage` and nothing else. */

export interface CreateAsk {
  readonly kind: 'create';
  readonly ticket: string;
}
export interface StatusAsk {
  readonly kind: 'status';
  readonly address: string;
}
export interface SignAsk {
  readonly kind: 'sign';
  readonly address: string;
  readonly ticket: string;
  readonly request: SignRequest;
}
export interface RecoverAsk {
  readonly kind: 'recover';
  readonly address: string;
  readonly ticket: string;
}
export interface ExportAsk {
  readonly kind: 'export';
  readonly address: string;
  readonly ticket: string;
}
export type SignerAsk = CreateAsk | StatusAsk | SignAsk | RecoverAsk | ExportAsk;

/** As wallets are asked by EIP-1193. */
export interface SignRequest {
  readonly method: string;
  /** The text of a message, or the JSON of typed data or of a chain transaction. */
  readonly text: string;
}

export interface SignerAnswers {
  readonly create: { readonly address: string };
  readonly status: { readonly hasShare: boolean };
  readonly sign: { readonly signature: string };
  readonly recover: { readonly withdrawalsHeldUntil: number };
  readonly export: { readonly shown: true };
}

/** Why nothing came of it: the person said no, a rule, a passphrase, the exchange. */
export interface Refusal {
  readonly code: 'declined' | 'refused' | 'failed';
  readonly reason: string;
}

export const MARK = 'orrery.signer';

export interface AskMessage {
  readonly mark: typeof MARK;
  readonly id: number;
  readonly ask: SignerAsk;
  /** Of the page that embeds it; as the browser prefers when left out. */
  readonly theme?: string | undefined;
}
export type AnswerMessage = { readonly mark: typeof MARK } & (
  | { readonly ready: true }
  | { readonly id: number; readonly answer: SignerAnswers[keyof SignerAnswers] }
  | { readonly id: number; readonly refusal: Refusal }
);

const KINDS: ReadonlySet<unknown> = new Set<SignerAsk['kind']>(['create', 'status', 'sign', 'recover', 'export']);

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;

/** A message that is a question in this form; anything else is nothing. */
export function askOf(data: unknown): AskMessage | undefined {
  const [id, ask] = [fieldOf(data, 'id'), fieldOf(data, 'ask')];
  if (fieldOf(data, 'mark') !== MARK || typeof id !== 'number' || !KINDS.has(fieldOf(ask, 'kind'))) return undefined;
  const texts = ['address', 'ticket'].map((name) => fieldOf(ask, name));
  if (texts.some((text) => text !== undefined && typeof text !== 'string')) return undefined;
  if (fieldOf(ask, 'kind') === 'sign') {
    const request = fieldOf(ask, 'request');
    if (typeof fieldOf(request, 'method') !== 'string' || typeof fieldOf(request, 'text') !== 'string') return undefined;
  }
  const theme = fieldOf(data, 'theme');
  if (theme !== undefined && typeof theme !== 'string') return undefined;
  // Each field that is read later was looked at.
  return data as AskMessage;
}
