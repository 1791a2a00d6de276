/** The signing page, embedded: it is loaded when it is first needed, and in front of everything while a person has to do something on it. */
import { inTime } from './in-time.ts';
import { type AnswerMessage, type AskMessage, MARK, type SignerAnswers, type SignerAsk } from '../signer/protocol.ts';

const LOAD_LIMIT_MS = 20_000;
/** What wallets answer by EIP-1193 when a person says no. */
export const USER_REJECTED = 4001;

/** The signing page did not do it: the reason is for the person. */
export class SignerRefusal extends Error {
  override readonly name = 'SignerRefusal';
  readonly code: number | undefined;

  constructor(reason: string, code?: number) {
    super(reason);
    this.code = code;
  }
}

type AnswerOf<Ask extends SignerAsk> = SignerAnswers[Ask['kind']];

export interface SignerFrame {
  /** @throws SignerRefusal when the person, the page or the exchange refuses. */
  ask<Ask extends SignerAsk>(ask: Ask): Promise<AnswerOf<Ask>>;
}

const FRAME = 'size-full border-0';
const DIALOG =
  'm-auto h-[560px] max-h-full w-full max-w-[440px] overflow-hidden rounded-md border border-line bg-panel p-0 backdrop:bg-black/60';

interface Waiting {
  readonly resolve: (answer: SignerAnswers[keyof SignerAnswers]) => void;
  readonly reject: (error: Error) => void;
}

function open(origin: string): Promise<SignerFrame> {
  const dialog = document.createElement('dialog');
  dialog.className = DIALOG;
  // A dialog of the kit that is open below it takes the pointer away from everything beside itself.
  dialog.style.pointerEvents = 'auto';
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  const frame = document.createElement('iframe');
  frame.title = 'Signing page of the e-mail wallet';
  frame.className = FRAME;
  frame.src = origin;
  dialog.append(frame);
  const waiting = new Map<number, Waiting>();
  const { promise, resolve } = Promise.withResolvers<SignerFrame>();
  let lastId = 0;
  const signer: SignerFrame = {
    async ask(ask) {
      lastId += 1;
      const id = lastId;
      const answer = Promise.withResolvers<SignerAnswers[keyof SignerAnswers]>();
      waiting.set(id, answer);
      if (ask.kind !== 'status') dialog.showModal();
      const message: AskMessage = { mark: MARK, id, ask, theme: document.documentElement.dataset['theme'] };
      frame.contentWindow?.postMessage(message, origin);
      // The page answers each kind of question with its own kind of answer.
      return (await answer.promise.finally(() => dialog.close())) as AnswerOf<typeof ask>;
    },
  };
  window.addEventListener('message', ({ source, origin: from, data }: MessageEvent<AnswerMessage | undefined>) => {
    if (source !== frame.contentWindow || from !== origin || data?.mark !== MARK) return;
    if ('ready' in data) return resolve(signer);
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ('answer' in data) asked?.resolve(data.answer);
    else asked?.reject(new SignerRefusal(data.refusal.reason, data.refusal.code === 'declined' ? USER_REJECTED : undefined));
  });
  document.body.append(dialog);
  return inTime(promise, LOAD_LIMIT_MS).catch((error: unknown) => {
    dialog.remove();
    throw error;
  });
}

let opened: Promise<SignerFrame> | undefined;

/** On this machine it is at every host: at another one than this page's it would be another site, to which browsers give no storage. */
function sameSite(origin: string): string {
  const url = new URL(origin);
  if (url.hostname === '127.0.0.1') url.hostname = location.hostname;
  return url.origin;
}

/** @throws WalletTimeout when the page does not load; it is loaded again then. */
export function signerFrame(origin: string): Promise<SignerFrame> {
  opened ??= open(sameSite(origin)).catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}
