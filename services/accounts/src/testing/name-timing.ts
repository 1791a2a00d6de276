/**
 * `node services/accounts/src/testing/name-timing.ts`: how long an answer takes for a known name and for an unknown one, in turns, 200 times
 * each: the medians and their gap, for a login by a wrong password and for codes to reset, to register and to log in.
 */
import type { CodePurpose } from '@orrery/api';
import { Captcha } from '../captcha/captcha.ts';
import { Browser, openTown } from './town.ts';

const TRIES = 200;
const HOUR = 3_600_000;
const PASSWORD = 'correct horse battery';

// Solved before a name is looked up, and slower than all that is measured.
Captcha.prototype.check = () => Promise.resolve();

const town = await openTown();
const name = town.accounts.handlers.name;
let count = 0;

function newBrowser(): Browser {
  count += 1;
  const fresh = new Browser(town);
  fresh.ip = `10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`;
  fresh.neighbourhood = `10.${count >> 16}.${(count >> 8) & 255}.0/24`;
  return fresh;
}

const send = (of: Browser, purpose: CodePurpose, username: string): Promise<unknown> =>
  of.call(name.sendCode, { body: { purpose, username, captcha: 'solved' } });

async function register(username: string): Promise<void> {
  const browser = newBrowser();
  await send(browser, 'register', username);
  // Sent in a later turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  const code = /\d{6}/.exec(town.sent.findLast(({ to }) => to === username)?.text ?? '')?.[0] ?? '';
  await browser.call(name.register, { body: { username, password: PASSWORD, code } });
}

const CALLS: Readonly<Record<string, (username: string) => Promise<unknown>>> = {
  'login by a wrong password': (username) => newBrowser().call(name.loginFirst, { body: { username, password: 'wrong password' } }),
  'code to reset': (username) => send(newBrowser(), 'reset', username),
  'code to register': (username) => send(newBrowser(), 'register', username),
  'code to log in by e-mail': (username) => newBrowser().call(name.emailLoginSend, { body: { email: username, captcha: 'solved' } }),
};

/** Milliseconds. */
async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await call().catch(() => undefined);
  return performance.now() - started;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

const known = Array.from({ length: TRIES }, (_, index) => `known-${index}@example.org`);
for (const username of known) await register(username);
for (const [what, call] of Object.entries(CALLS)) {
  town.clock.now += 25 * HOUR;
  await town.accounts.sweep();
  const times = { known: [] as number[], unknown: [] as number[] };
  for (const username of known) {
    times.known.push(await timeOf(() => call(username)));
    times.unknown.push(await timeOf(() => call(username.replace('known', 'nobody'))));
  }
  const [ofKnown, ofUnknown] = [median(times.known), median(times.unknown)];
  console.log(
    `${what.padEnd(28)} known ${ofKnown.toFixed(2)} ms, unknown ${ofUnknown.toFixed(2)} ms, gap ${(ofKnown - ofUnknown).toFixed(2)} ms`,
  );
}
await town.close();
