/** `/docs`: the contract for reading, rendered here, with the headers of every other page and no script; and as an OpenAPI and an AsyncAPI document for programs. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Mounted } from '@orrery/api';
import { asyncApi } from './asyncapi.ts';
import { openApi } from './openapi.ts';
import type { SendPage } from './page-headers.ts';
import { referencePage } from './reference.ts';
import { compressed, type StoredFile } from './stored-file.ts';

export interface DocsOptions {
  readonly version: string;
  readonly mounted: readonly Mounted[];
  readonly send: SendPage;
}

/** The type of the terminal, from the packages that it is built with. */
const FONTS = {
  'hanken-grotesk.woff2': import.meta.resolve('@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2'),
  'jetbrains-mono.woff2': import.meta.resolve('@fontsource/jetbrains-mono/files/jetbrains-mono-latin-400-normal.woff2'),
} as const;

export function mountDocs(server: FastifyInstance, { version, mounted, send }: DocsOptions): void {
  const document = () => openApi(version, mounted);
  const files: Readonly<Record<string, () => Buffer | Promise<Buffer>>> = {
    'index.html': () => Buffer.from(referencePage(document())),
    'openapi.json': () => Buffer.from(JSON.stringify(document())),
    'asyncapi.json': () => Buffer.from(JSON.stringify(asyncApi(version))),
    'reference.css': () => readFile(new URL('reference.css', import.meta.url)),
    'hanken-grotesk.woff2': () => readFile(fileURLToPath(FONTS['hanken-grotesk.woff2'])),
    'jetbrains-mono.woff2': () => readFile(fileURLToPath(FONTS['jetbrains-mono.woff2'])),
  };
  for (const [name, source] of Object.entries(files)) {
    // Rendered when first requested: most starts are not for reading.
    let stored: Promise<StoredFile> | undefined;
    server.get(name === 'index.html' ? '/docs' : `/docs/${name}`, async (request, reply) => {
      stored ??= Promise.resolve(source()).then((content) => compressed({ name, content }));
      return send(request, reply, await stored);
    });
  }
}
