/** The signing page: answers the page that embeds it, one question at a time. It has no other way in, and the exchange says who may embed it. */
import { walletBindText } from '@orrery/api';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type DeviceShare, dropDeviceShare, keepNextShare, readDeviceShare, useNextShare } from './device-store.ts';
import {
  combineKey,
  fromText,
  newDeviceSecret,
  newKey,
  openRecovery,
  PASSPHRASE_LENGTH_MIN,
  sealRecovery,
  splitKey,
  toText,
} from './key-shares.ts';
import { blindPassphrase } from './passphrase.ts';
import { judge } from './policy.ts';
import {
  type AnswerMessage,
  askOf,
  type ExportAsk,
  MARK,
  type RecoverAsk,
  type Refusal,
  type SignAsk,
  type SignerAnswers,
  type SignerAsk,
} from './protocol.ts';
import { askPassphrase, confirmSigning, showKey, showRefusal } from './views.ts';
import { call, CallFailed } from './wallet-calls.ts';

class Refused extends Error {
  readonly refusal: Refusal;

  constructor(code: Refusal['code'], reason: string) {
    super(reason);
    this.refusal = { code, reason };
  }
}

const declined = (): Refused => new Refused('declined', 'User rejected the request.');

const appOrigins: readonly string[] = document.querySelector('meta[name="orrery-app-origins"]')?.getAttribute('content')?.split(' ') ?? [];

/** New shares of a key: that of this browser first, so that nobody has a wallet that no browser can use. */
async function shareOut<Name extends 'create' | 'renew'>(
  name: Name,
  { key, ticket, stretched }: { key: Hex; ticket: string; stretched: Uint8Array },
) {
  const account = privateKeyToAccount(key);
  const address = account.address.toLowerCase();
  const shares = await splitKey(key);
  const mine: DeviceShare = { share: shares.device, device: newDeviceSecret() };
  await keepNextShare(address, mine);
  const answer = await call(name, {
    ticket,
    walletAddress: address,
    signature: await account.signMessage({ message: walletBindText({ address, ticket }) }),
    serverShare: toText(shares.server),
    recovery: await sealRecovery(shares.recovery, { stretched, address }),
    device: mine.device,
  });
  await useNextShare(address);
  return { address, answer };
}

async function create(ticket: string): Promise<SignerAnswers['create']> {
  const made = await askPassphrase({
    title: 'Create your e-mail wallet',
    lead: 'Choose a passphrase. It recovers the wallet on another device. Nobody can reset it for you.',
    action: 'Create wallet',
    isNew: true,
    minLength: PASSPHRASE_LENGTH_MIN,
    async use(passphrase) {
      const { blinded, finish } = blindPassphrase(passphrase);
      const { evaluated } = await call('stretch', { ticket, blinded });
      return shareOut('create', { key: newKey(), ticket, stretched: finish(evaluated) });
    },
  });
  if (made === undefined) throw declined();
  return { address: made.address };
}

async function sign({ address, ticket, request }: SignAsk, origin: string): Promise<SignerAnswers['sign']> {
  const judgement = judge(request, { origin, address });
  if ('refused' in judgement) {
    await showRefusal(judgement.refused);
    throw new Refused('refused', judgement.refused);
  }
  if (!(await confirmSigning(judgement.facts))) throw declined();
  const { account } = await wholeKey({ address, ticket }, 'sign');
  return { signature: await account.signMessage({ message: judgement.message }) };
}

async function wholeKey({ address, ticket }: { address: string; ticket: string }, use: 'sign' | 'export') {
  const mine = await readDeviceShare(address);
  if (mine === undefined) throw new Refused('failed', 'this browser has no share of the wallet');
  const given = await call('share', { ticket, walletAddress: address, device: mine.device }).catch(async (error: unknown) => {
    if (!(error instanceof CallFailed && error.reason === 'NotYours')) throw error;
    await dropDeviceShare(address);
    throw new Refused(
      'failed',
      'the share of this browser is void, because the wallet was recovered elsewhere. Try again to recover it here',
    );
  });
  if (given.use !== use) throw new Refused('refused', 'the ticket is for something else');
  return combineKey([mine.share, fromText(given.share)], address);
}

async function recover({ address, ticket }: RecoverAsk): Promise<SignerAnswers['recover']> {
  const renewed = await askPassphrase({
    title: 'Recover your e-mail wallet',
    lead: 'This browser has no share of your wallet. Enter its passphrase. Withdrawals are held for 24 hours after this.',
    action: 'Recover wallet',
    isNew: false,
    minLength: 1,
    async use(passphrase) {
      const { blinded, finish } = blindPassphrase(passphrase);
      const { share, recovery, evaluated } = await call('recover', { ticket, walletAddress: address, blinded });
      const stretched = finish(evaluated);
      const { key } = await combineKey([fromText(share), await openRecovery(recovery, { passphrase, stretched, address })], address);
      return shareOut('renew', { key, ticket, stretched });
    },
  });
  if (renewed?.answer == null) throw declined();
  return { withdrawalsHeldUntil: renewed.answer.withdrawalsHeldUntil };
}

async function exportKey(ask: ExportAsk): Promise<SignerAnswers['export']> {
  await showKey((await wholeKey(ask, 'export')).key);
  return { shown: true };
}

async function answerOf(ask: SignerAsk, origin: string): Promise<SignerAnswers[SignerAsk['kind']]> {
  switch (ask.kind) {
    case 'status':
      return { hasShare: (await readDeviceShare(ask.address)) !== undefined };
    case 'create':
      return create(ask.ticket);
    case 'sign':
      return sign(ask, origin);
    case 'recover':
      return recover(ask);
    default:
      return exportKey(ask);
  }
}

const refusalOf = (error: unknown): Refusal =>
  error instanceof Refused ? error.refusal : { code: 'failed', reason: error instanceof Error ? error.message : 'it did not work' };

let isBusy = false;

async function onMessage(event: MessageEvent<unknown>): Promise<void> {
  // A window that was opened is its own parent: only a page that may embed this one is answered.
  if (window.parent === window || event.source !== window.parent || !appOrigins.includes(event.origin)) return;
  const asked = askOf(event.data);
  if (asked === undefined) return;
  const reply = (message: AnswerMessage): void => window.parent.postMessage(message, event.origin);
  const { id, ask, theme } = asked;
  if (theme !== undefined) document.documentElement.dataset['theme'] = theme;
  if (isBusy) return reply({ mark: MARK, id, refusal: { code: 'refused', reason: 'another request waits for an answer' } });
  isBusy = true;
  try {
    reply({ mark: MARK, id, answer: await answerOf(ask, event.origin) });
  } catch (error) {
    reply({ mark: MARK, id, refusal: refusalOf(error) });
  } finally {
    isBusy = false;
  }
}

window.addEventListener('message', (event: MessageEvent<unknown>) => void onMessage(event));
if (window.parent !== window) for (const origin of appOrigins) window.parent.postMessage({ mark: MARK, ready: true }, origin);
