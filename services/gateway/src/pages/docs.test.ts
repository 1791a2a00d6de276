import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contract, EXPORT_FILES, signedTexts, type ExportFileTerms, type Route } from '@orrery/api';
import { openVenue, type Venue } from '../testing/venue.ts';
import { REASONS } from './refusals.ts';
import { STREAMS } from './stream-messages.ts';

let directory: string;
let venue: Venue;
let page: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'orrery-docs-'));
  await writeFile(join(directory, 'index.html'), 'the page');
  await writeFile(join(directory, 'paths.json'), '["/"]');
  await writeFile(join(directory, 'favicon.svg'), '<svg/>');
  venue = await openVenue({ terminalDirectory: directory, connectSources: ['https://api.elsewhere.example'] });
  page = await (await fetch(`${venue.base}/docs`)).text();
});
afterAll(async () => {
  await venue.close();
  await rm(directory, { recursive: true, force: true });
});

const CHANGING = new Set([
  'date',
  'etag',
  'content-length',
  'content-encoding',
  'content-type',
  'connection',
  'keep-alive',
  'transfer-encoding',
]);

async function headersOf(path: string): Promise<Record<string, string>> {
  const { status, headers } = await fetch(`${venue.base}${path}`);
  expect(status, path).toBe(200);
  return Object.fromEntries([...headers].filter(([name]) => !CHANGING.has(name)));
}

test('the documentation has the headers and the policy of every other page: no eval, no inline style', async () => {
  const usual = await headersOf('/');
  expect(usual['content-security-policy']).toContain("script-src 'self'; style-src 'self'; ");
  for (const path of [
    '/docs',
    '/docs/openapi.json',
    '/docs/asyncapi.json',
    '/docs/reference.css',
    '/docs/hanken-grotesk.woff2',
    '/docs/jetbrains-mono.woff2',
  ])
    expect(await headersOf(path), path).toEqual(usual);
});

test('it needs no script, has no style of its own in the text, and loads from here and from nowhere else', async () => {
  expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:/i);
  const css = await (await fetch(`${venue.base}/docs/reference.css`)).text();
  const linked = [...page.matchAll(/(?:src|href)="([^"#][^"]*)"/g), ...css.matchAll(/url\('([^']+)'\)/g)].map(([, path = '']) => path);
  expect(linked).toContain('/docs/reference.css');
  for (const path of new Set(linked)) {
    expect(path).toMatch(/^\/(?!\/)/);
    expect((await fetch(`${venue.base}${path}`)).status, path).toBe(200);
  }
});

test('every call is in it with its parameters and fields, and every reason with its code', () => {
  const plain = page.replaceAll('<wbr>', '');
  for (const [name, route] of Object.entries<Route>(contract)) {
    const article = plain.split(`<article id="${name}">`)[1]?.split('</article>')[0] ?? '';
    expect(article, name).toContain(`<code>${route.path}</code>`);
    for (const schema of [route.query, route.body])
      for (const field of Object.keys(Reflect.get(schema ?? {}, 'properties') ?? {}))
        expect(article, name).toContain(`<code>${field}</code>`);
  }
  for (const { code, name } of REASONS) expect(plain).toContain(`<td class="number">${code}</td><td><code>${name}</code></td>`);
});

test('what a wallet signs is in it, by purpose and call, and every message of the streams', () => {
  const plain = page.replaceAll('<wbr>', '');
  const signed = plain.split('id="at-signed-texts"')[1]?.split('</section>')[0] ?? '';
  for (const { call, purpose, statement } of signedTexts()) {
    expect(signed).toContain(`<td><code>${purpose}</code></td><td><a href="#${call}">`);
    expect(signed).toContain(`<code>${statement}</code>`);
    expect(signed).toContain(`A message of the purpose <code>${purpose}</code>`);
  }
  for (const { name, fromClient, fromServer } of STREAMS)
    for (const [way, messages] of [['to', fromClient] as const, ['from', fromServer] as const])
      for (const message of messages) expect(plain).toContain(`id="${`${name} ${way} ${message.name}`.replaceAll(/[^a-z0-9]+/gi, '-')}"`);
});

test('every link inside the page leads to a section or a call, and no two have one name', () => {
  const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, anchor] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(anchor);
});

test('its colours are those of the terminal, dark and light', async () => {
  const tokens = await readFile(new URL('../../../../clients/terminal/src/kit/ui/tokens.css', import.meta.url), 'utf8');
  const css = await readFile(new URL('reference.css', import.meta.url), 'utf8');
  const colours = (text: string): string[] => [...text.matchAll(/--\w+: #[0-9a-f]{6}/g)].map(([colour]) => colour);
  const [dark = '', light = ''] = tokens.split(":root[data-theme='light'] {");
  const [ownDark = '', ownLight = ''] = css.split('@media (prefers-color-scheme: light)');
  expect(colours(dark)).toEqual(expect.arrayContaining(colours(ownDark)));
  expect(colours(light)).toEqual(expect.arrayContaining(colours(ownLight)));
  expect(colours(ownLight).length).toBeGreaterThan(5);
});

test('it has every column of every file of exports, in the order of the file', () => {
  for (const [name, { columns }] of Object.entries<ExportFileTerms>(EXPORT_FILES)) {
    const section = page.split(`<summary><code>${name}.csv</code>`)[1]?.split('</details>')[0] ?? '';
    expect([...section.matchAll(/<tr><td><code>([^<]+)<\/code>/g)].map(([, column]) => column)).toEqual(Object.keys(columns));
  }
});
