/** The captcha that the exchange asks for, solved by this page without a question to the person. */
import type { CaptchaAction } from '@orrery/api';
import { ask } from '../data/calls.ts';
import { FormFault } from '../ui/use-form.ts';
import { solve } from './proof-of-work.ts';

/** @param notHere what is said where this page can not solve it. @returns the answer to send, good once and for two minutes. */
export async function captchaFor(action: CaptchaAction, notHere: string): Promise<string> {
  const { challenge } = await ask('captchaInit', { query: { action }, ignoreToken: true });
  const solution = challenge === null || crypto.subtle === undefined ? undefined : await solve(challenge);
  if (solution === undefined) throw new FormFault(notHere);
  return btoa(JSON.stringify({ challenge, solution }));
}
