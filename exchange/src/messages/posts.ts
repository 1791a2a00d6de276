/** Which way messages leave this installation: what the settings name; without it, on a developer's own machine, a mailbox in memory. */
import type { Posts } from '@orrery/accounts';
import { isRateUrl as isGuardedUrl } from '../rate-port.ts';
import type { Settings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import { Mailbox } from './mailbox.ts';
import { isSmtpUrl, smtpPost } from './smtp-post.ts';
import { textPost } from './text-post.ts';

export interface MessageSettings {
  readonly smtpUrl: string | undefined;
  /** The sender of e-mails. */
  readonly from: string;
  readonly textUrl: string | undefined;
  readonly textToken: string | undefined;
}

/** @throws StartError naming the variable that can not be used, without what it holds. */
export function readMessageSettings(settings: Settings): MessageSettings {
  const { ORRERY_SMTP_URL: smtpUrl, ORRERY_SMS_URL: textUrl } = settings;
  const reasons: string[] = [];
  if (smtpUrl !== undefined && !isSmtpUrl(smtpUrl))
    reasons.push('ORRERY_SMTP_URL must be the address of an SMTP server, such as smtps://name:password@mail.example.org');
  if (textUrl !== undefined && !isGuardedUrl(textUrl)) reasons.push('ORRERY_SMS_URL must be an https address, or one of this machine');
  if (reasons.length > 0) throw new StartError(reasons);
  return { smtpUrl, from: settings.ORRERY_MAIL_FROM, textUrl, textToken: settings.ORRERY_SMS_TOKEN };
}

/** The mailbox is there in `test` only, whatever is configured: elsewhere nobody may read what is sent to another. */
export function openPosts(
  { smtpUrl, from, textUrl, textToken }: MessageSettings,
  environment: Settings['ORRERY_ENV'],
): { readonly posts: Posts; readonly mailbox: Mailbox | undefined } {
  const mailbox = environment === 'test' && (smtpUrl === undefined || textUrl === undefined) ? new Mailbox() : undefined;
  return {
    posts: {
      email: smtpUrl === undefined ? mailbox?.keep : smtpPost({ url: smtpUrl, from }),
      text: textUrl === undefined ? mailbox?.keep : textPost({ url: textUrl, token: textToken }),
    },
    mailbox,
  };
}
