/** The console on a host of its own, in a real browser: passkeys are for that host, and the host of trading knows nothing of operators. */
import { beforeAll, expect, test } from 'vitest';
import { browser, visit, withBrowser } from './browser.ts';
import { openDesk, register, signedInAs } from './console-desk.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { program, withProgram } from './with-program.ts';
import { freePort } from '../src/testing/free-port.ts';

const FIRST_CODE = 'first-code-of-the-test';

let port: number;
let own: string;
beforeAll(async () => {
  port = await freePort();
  own = `http://console.localhost:${port}`;
});
withProgram({
  env: () => ({
    ...BEHIND_A_PROXY,
    ORRERY_PORT: String(port),
    ORRERY_CONSOLE_ORIGIN: own,
    ORRERY_CONSOLE_CODE: FIRST_CODE,
    ORRERY_MARKET_MAKER: 'off',
  }),
});
withBrowser();

test('[A10] on its own host an operator makes a passkey and comes back by it; elsewhere there is no console', async () => {
  const alice = await openDesk(browser, { url: own });
  await register(alice, { code: FIRST_CODE, name: 'alice' });
  await signedInAs(alice, 'alice · Admin');
  await alice.page.getByRole('button', { name: 'Sign out' }).click();
  await alice.page.goto('/');
  await alice.page.waitForURL('**/console');
  await alice.page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await signedInAs(alice, 'alice · Admin');

  const visitor = await visit(browser, { url: program.url.replace('127.0.0.1', 'localhost') });
  expect((await visitor.page.goto('/console'))?.status()).toBe(404);
  await visitor.page.goto('/faucet');
  await visitor.page.getByRole('heading', { name: 'Faucet', level: 1 }).waitFor();
  expect(await (await fetch(`${program.url}/pro/o/auth/login/options`, { method: 'POST' })).json()).toMatchObject({ code: 14_001 });
});
