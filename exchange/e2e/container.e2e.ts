/** The image as it is run on a server: built from a clean clone without network, read-only, under a user that nobody knows, its state in one volume. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { STOP_LIMITS } from '../src/closing.ts';
import { addressOf, buildImage, demand, endOf, logOf, missingForContainers, removeAll, startContainer } from './containers.ts';
import { hasLittleTime } from './little-time.ts';
import { keyClient, prepareToTrade, signIn, tradeKey } from './person.ts';
import { freePort } from '../src/testing/free-port.ts';

const IMAGE_BYTES_MAX = 600 * 1024 * 1024;
const BUILD_MS = 900_000;
const CODE = 'a-code-from-a-file-0123456789';

test(
  'the image built from a clean clone trades read-only under a foreign user, ends by SIGTERM, and goes on from its volume',
  async ({ skip }) => {
    const id = `orrery-test-${process.pid}`;
    const folder = await mkdtemp(join(tmpdir(), 'orrery-container-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    onTestFinished(() => removeAll({ containers: [`${id}-1`, `${id}-2`, `${id}-other`], volumes: [id], images: [`localhost/${id}`] }));
    if (hasLittleTime) skip('this machine is too slow for it');
    const missing = missingForContainers();
    if (missing !== undefined) skip(missing);
    const image = `localhost/${id}`;
    buildImage(image, join(folder, 'clone'));
    const size = Number(demand('image', 'inspect', '--format', '{{.Size}}', image));
    process.stderr.write(`the image has ${Math.round(size / 1024 / 1024)} MiB\n`);
    expect(size).toBeLessThanOrEqual(IMAGE_BYTES_MAX);

    demand('volume', 'create', id);
    const code = join(folder, 'code');
    await writeFile(code, CODE, { mode: 0o444 });
    const env = {
      ORRERY_HOST: '127.0.0.1',
      ORRERY_PORT: '0',
      ORRERY_MARKET_MAKER: 'off',
      ORRERY_METRICS_HOST: '127.0.0.1',
      ORRERY_METRICS_PORT: '0',
    };
    const common = { image, volume: id, network: 'host', env } as const;
    const secret = ['--volume', `${code}:/run/secrets/code:ro`, '--env', 'ORRERY_CONSOLE_CODE_FILE=/run/secrets/code'];
    startContainer({ ...common, name: `${id}-1`, flags: secret });
    const first = await addressOf(`${id}-1`);
    // The code was read from the file: one that is generated is shown.
    expect(logOf(`${id}-1`)).toContain(`the code for the first one is [redacted],`);
    const page = await fetch(first);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<html')]);
    const person = await signIn(first);
    await prepareToTrade(first, person);
    const key = await tradeKey(person);
    const wish = { symbol: 'SOL_USDC', direction: 'BUY', tradeType: 'LIMIT', price: '50', totalAmount: '1' } as const;
    const orderId = await keyClient(first, key).createOrder(wish);

    // It sees neither the names in the kernel nor the processes of the first: only the volume is common.
    startContainer({ ...common, name: `${id}-other`, network: 'none' });
    expect(await endOf(`${id}-other`)).toBe(1);
    expect(logOf(`${id}-other`)).toContain('is in use by another running program');

    // A container that does not end by itself is killed then, and has another exit code.
    demand('stop', '--time', String(STOP_LIMITS.allMs / 1000), `${id}-1`);
    expect(await endOf(`${id}-1`)).toBe(0);
    expect(logOf(`${id}-1`)).toMatch(/orrery: stopping\n/);

    const port = await freePort();
    startContainer({ ...common, name: `${id}-2`, env: { ...env, ORRERY_METRICS_PORT: String(port) } });
    const client = keyClient(await addressOf(`${id}-2`), key);
    expect((await client.openOrders({ page: 1, size: 10 })).items.map((order) => order.orderId)).toEqual([orderId]);
    demand('healthcheck', 'run', `${id}-2`);
  },
  BUILD_MS,
);
