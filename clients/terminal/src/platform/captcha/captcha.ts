/** The captcha that the exchange asks for: a proof of work, which this page solves without a question to the person, or GeeTest's in a dialog. */
import type { CaptchaAction } from '@orrery/api';
import { CallError } from '@orrery/sdk';
import { http } from '../client/client.ts';
import { say } from '../../kit/i18n/text.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { FormFault } from '../../kit/ui/use-form.ts';
import { solve } from './proof-of-work.ts';

const GeetestDialog = lazyDialog(async () => (await import('./geetest-dialog.tsx')).GeetestDialog);

/** The answer to send, good once and for two minutes. @throws FormFault where this page can not solve it, or the person does not. */
export async function captchaFor(action: CaptchaAction): Promise<string> {
  const { challenge, captchaId, script } = await http.load('captchaInit', { query: { action }, ignoreToken: true });
  if (captchaId !== null && script !== null) {
    const answer = await openDialog(GeetestDialog, { captchaId, script }, { of: 'everybody' });
    if (answer === undefined) throw new FormFault(say('captcha.closed'));
    return answer;
  }
  const solution = challenge === null || crypto.subtle === undefined ? undefined : await solve(challenge);
  if (solution === undefined) throw new FormFault(say('captcha.notHere'));
  return btoa(JSON.stringify({ challenge, solution }));
}

/** Makes a call that tries a password or a code, and makes it again with a captcha where the exchange asks for one: the first did nothing. */
export async function pastCaptcha<Answer>(call: (answer: { readonly captcha?: string }) => Promise<Answer>): Promise<Answer> {
  try {
    return await call({});
  } catch (error) {
    if (!(error instanceof CallError) || error.reason !== 'CaptchaNeeded') throw error;
    return call({ captcha: await captchaFor('login') });
  }
}
