/** E-mail by an SMTP server: `smtps://name:password@host:465`, or `smtp://…:587`, which must then offer TLS unless it is this machine. */
import type { Post } from '@orrery/accounts';
import { isLoopback } from '@orrery/foundation';

const PATIENCE_MS = 15_000;
const PORTS: Readonly<Record<string, number>> = { 'smtps:': 465, 'smtp:': 587 };

export const isSmtpUrl = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && url.hostname !== '' && PORTS[url.protocol] !== undefined;
};

/** @param options.url as `isSmtpUrl` takes it; `from` is the sender, such as `Orrery <no-reply@example.org>` */
export function smtpPost({ url: text, from }: { readonly url: string; readonly from: string }): Post {
  const url = new URL(text);
  const options = {
    host: url.hostname,
    port: url.port === '' ? (PORTS[url.protocol] ?? 0) : Number(url.port),
    secure: url.protocol === 'smtps:',
    requireTLS: url.protocol === 'smtp:' && !isLoopback(url.hostname),
    ...(url.username !== '' && { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const;
  return async ({ to, subject, text: words }) => {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport(options);
    const [sent] = await Promise.allSettled([transport.sendMail({ from, to, subject, text: words })]);
    transport.close();
    // Without the cause: the library's words may name the receiver.
    if (sent.status === 'rejected') throw new Error(`the SMTP server did not take it: ${codeOf(sent.reason)}`);
  };
}

const codeOf = (error: unknown): string => {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : 'no code';
};
