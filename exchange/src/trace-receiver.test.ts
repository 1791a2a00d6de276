import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { traceReceiver } from './trace-receiver.ts';

test.each([
  ['http://127.0.0.1:4318', 'http://127.0.0.1:4318/v1/traces'],
  ['https://otlp.example.org/tenant/', 'https://otlp.example.org/tenant/v1/traces'],
  ['https://otlp.example.org/v1/traces', 'https://otlp.example.org/v1/traces'],
])('%s is sent to %s', (text, url) => {
  expect(traceReceiver(text, 5)).toEqual({ url, headers: {}, ppm: 5 });
});

test('a name and a password are sent as basic authentication, and stand in no address', () => {
  const receiver = traceReceiver('https://name:a%3Ab@otlp.example.org', 1);
  expect(receiver).toEqual({
    url: 'https://otlp.example.org/v1/traces',
    headers: { authorization: `Basic ${Buffer.from('name:a:b').toString('base64')}` },
    ppm: 1,
  });
});

test.each(['http://', 'https://a.example/?key=1'])('%s is refused, and is not shown: it may be a secret', (text) => {
  expect(() => traceReceiver(text, 1)).toThrow('ORRERY_TRACES must be an address such as http://127.0.0.1:4318, without a query');
});

/** Loads a file in a process where nothing of OpenTelemetry can be loaded but its interfaces, which `prom-client` brings along. */
function loadedWithout(file: string) {
  const program = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) { if (/^@opentelemetry.(?!api)/.test(name)) throw new Error('loads ' + name); return next(name, context); } });
    await import(${JSON.stringify(new URL(file, import.meta.url).href)});
    process.exit(0);`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
}

test('where nothing is traced nothing that makes or sends spans is loaded', () => {
  expect(loadedWithout('traces/start-traces.ts').stderr).toContain('loads @opentelemetry');
  for (const file of ['start.ts', 'start-heart-alone.ts']) expect(loadedWithout(file)).toMatchObject({ status: 0, stderr: '' });
}, 120_000);
