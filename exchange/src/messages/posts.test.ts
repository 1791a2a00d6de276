import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { KEPT_PER_RECEIVER, Mailbox, RECEIVERS_MAX } from './mailbox.ts';
import { openPosts, readMessageSettings } from './posts.ts';
import { readSettings } from '../read-settings.ts';

const servers: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function portOf(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Speaks as much of SMTP as one e-mail needs. */
async function smtpServer(answerToRcpt = '250 ok'): Promise<{ port: number; heard: string[] }> {
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 test\r\n');
    let isInLetter = false;
    let rest = '';
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        heard.push(line);
        if (isInLetter) {
          if (line !== '.') continue;
          isInLetter = false;
          socket.write('250 taken\r\n');
        } else if (line.startsWith('EHLO')) socket.write('250-test\r\n250 AUTH PLAIN\r\n');
        else if (line.startsWith('AUTH')) socket.write('235 welcome\r\n');
        else if (line.startsWith('RCPT')) socket.write(`${answerToRcpt}\r\n`);
        else if (line === 'DATA') {
          isInLetter = true;
          socket.write('354 go on\r\n');
        } else if (line === 'QUIT') socket.end('221 bye\r\n');
        else socket.write('250 ok\r\n');
      }
    });
  });
  return { port: await portOf(server), heard };
}

const settingsOf = (env: Record<string, string>) => readMessageSettings(readSettings(env));
const letter = { kind: 'email', to: 'alice@example.org', subject: 'Your code', text: 'It is 123456.' } as const;
const note = { kind: 'text', to: '+8613800138000', subject: '', text: 'Your code is 123456.' } as const;

describe('e-mail', () => {
  test('[A1] goes to the SMTP server that is configured, with its name and password, and to no mailbox', async () => {
    const { port, heard } = await smtpServer();
    const env = { ORRERY_SMTP_URL: `smtp://orrery:pa%40ss@127.0.0.1:${port}`, ORRERY_MAIL_FROM: 'Orrery <no-reply@example.org>' };
    const { posts, mailbox } = openPosts(settingsOf(env), 'test');
    await posts.email?.(letter);
    expect(heard).toContain(`AUTH PLAIN ${Buffer.from('\0orrery\0pa@ss').toString('base64')}`);
    expect(heard.find((line) => line.startsWith('RCPT'))).toBe('RCPT TO:<alice@example.org>');
    expect(heard).toContain('Subject: Your code');
    expect(heard).toContain('It is 123456.');
    expect(mailbox?.of(letter.to)).toEqual([]);
  });

  test('[A1] one that is refused is an error that names neither its receiver nor the password', async () => {
    const { port } = await smtpServer('550 alice@example.org is unknown');
    const { posts } = openPosts(settingsOf({ ORRERY_SMTP_URL: `smtp://orrery:hidden@127.0.0.1:${port}` }), 'prod');
    const error = await posts.email?.(letter).catch((caught: unknown) => caught);
    expect(String(error)).toBe('Error: the SMTP server did not take it: EENVELOPE');
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/alice|hidden|123456/);
  });
});

test('[A1] a text message goes to the service that is configured, with its token', async () => {
  const heard: unknown[] = [];
  const server = createHttpServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      heard.push(request.headers.authorization, JSON.parse(body));
      response.writeHead(heard.length > 2 ? 500 : 202).end();
    });
  });
  const url = `http://127.0.0.1:${await portOf(server)}/send`;
  const { posts } = openPosts(settingsOf({ ORRERY_SMS_URL: url, ORRERY_SMS_TOKEN: 'token' }), 'prod');
  await posts.text?.(note);
  expect(heard).toEqual(['Bearer token', { to: note.to, text: note.text }]);
  await expect(posts.text?.(note)).rejects.toThrow('the service of text messages answered 500');
});

describe('the mailbox', () => {
  test('[A1] is there in the test environment alone, and keeps what no server sends', async () => {
    const { posts, mailbox } = openPosts(settingsOf({}), 'test');
    await posts.email?.(letter);
    await posts.text?.(note);
    expect([...(mailbox?.of(letter.to) ?? []), ...(mailbox?.of(note.to) ?? [])].map(({ text }) => text)).toEqual([letter.text, note.text]);
    for (const environment of ['preview', 'prod'] as const)
      expect(openPosts(settingsOf({}), environment)).toEqual({ posts: { email: undefined, text: undefined }, mailbox: undefined });
    expect(
      openPosts(settingsOf({ ORRERY_SMTP_URL: 'smtps://mail.example.org', ORRERY_SMS_URL: 'https://sms.example.org' }), 'test').mailbox,
    ).toBe(undefined);
  });

  test('keeps the newest of a receiver, and not more receivers than its bound', async () => {
    const mailbox = new Mailbox(() => 1);
    for (let count = 0; count <= KEPT_PER_RECEIVER; count += 1) await mailbox.keep({ ...letter, subject: String(count) });
    expect(mailbox.of(letter.to)).toHaveLength(KEPT_PER_RECEIVER);
    expect(mailbox.of(letter.to)[0]?.subject).toBe(String(KEPT_PER_RECEIVER));
    for (let count = 0; count < RECEIVERS_MAX; count += 1) await mailbox.keep({ ...letter, to: `${count}@example.org` });
    expect(mailbox.of(letter.to)).toEqual([]);
  });
});

test.each([
  [{ ORRERY_SMTP_URL: 'http://mail.example.org/secret' }, 'ORRERY_SMTP_URL must be the address of an SMTP server'],
  [{ ORRERY_SMTP_URL: 'secret' }, 'ORRERY_SMTP_URL must be the address of an SMTP server'],
  [{ ORRERY_SMS_URL: 'http://sms.example.org/secret' }, 'ORRERY_SMS_URL must be an https address'],
])('%j stops the start in a sentence without what it holds', (env, sentence) => {
  expect(() => readConfig(env)).toThrow(sentence);
  expect(() => readConfig(env)).not.toThrow(/secret/);
});
