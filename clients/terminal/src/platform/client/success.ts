/** Success messages by key, the same words wherever the same thing was done. */
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { showSuccess } from '../../kit/ui/toast.ts';

const messages = {
  modified: 'success.modified',
  bind: 'success.bind',
  add: 'success.add',
  delete: 'success.delete',
  submit: 'success.submit',
  passwordChange: 'success.passwordChange',
  signUp: 'success.signUp',
  withdraw: 'success.withdraw',
} as const satisfies Record<string, MessageId>;

export type SuccessKey = keyof typeof messages;

export function showDone(key: SuccessKey, detail?: string): void {
  showSuccess(messages[key], { detail });
}
