/** `/docs`: the contract for reading, its page and script served from here. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Mounted } from '@orrery/api';
import { compressed, type StoredFile } from './stored-file.ts';
import { openApi } from './openapi.ts';
import { sendFile } from './send-file.ts';

/** Beside the package's entry; it is not among its exports. */
const REFERENCE_SCRIPT = 'browser/standalone.js';

/** The page draws its styles itself; nothing else is loosened. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Orrery API</title><link rel="icon" href="data:,"></head>
<body>
<style>
  :root { --scalar-custom-header-height: 44px }
  body { margin: 0; background: #0c0d0c }
  .way-back { position: sticky; top: 0; z-index: 100; display: flex; align-items: center; gap: 16px; height: 44px; padding: 0 16px; box-sizing: border-box;
    border-bottom: 1px solid #272b26; background: #0c0d0c; color: #a9aba2; font: 14px/1 system-ui, sans-serif }
  .way-back a { color: #ece9e3; font-weight: 600; text-decoration: none }
  .way-back a:hover { text-decoration: underline }
  .way-back a:focus-visible { outline: 2px solid #9db2ff; outline-offset: 4px }
</style>
<header class="way-back"><a href="/">&#8592; Back to Orrery</a><span>API reference</span></header>
<div id="reference"></div><script src="/docs/reference.js"></script><script src="/docs/start.js"></script></body>
</html>
`;

const START = `Scalar.createApiReference('#reference', {
  url: '/docs/openapi.json', withDefaultFonts: false, telemetry: false, agent: { disabled: true }, mcp: { disabled: true },
  hideClientButton: true, darkMode: true, showDeveloperTools: 'never',
});
`;

export function mountDocs(server: FastifyInstance, version: string, mounted: readonly Mounted[]): void {
  const files: Readonly<Record<string, () => Promise<{ name: string; content: Buffer }>>> = {
    '/docs': async () => ({ name: 'index.html', content: Buffer.from(PAGE) }),
    '/docs/start.js': async () => ({ name: 'start.js', content: Buffer.from(START) }),
    '/docs/reference.js': async () => ({ name: 'reference.js', content: await readFile(referenceScript()) }),
    '/docs/openapi.json': async () => ({ name: 'openapi.json', content: Buffer.from(JSON.stringify(openApi(version, mounted))) }),
  };
  for (const [url, source] of Object.entries(files)) {
    // Made when first asked for: most starts are not for reading.
    let stored: Promise<StoredFile> | undefined;
    server.get(url, async (request, reply) => {
      stored ??= source().then(compressed);
      reply.header('content-security-policy', DOCS_POLICY);
      return sendFile(request, reply, await stored);
    });
  }
}

const referenceScript = (): string => join(dirname(fileURLToPath(import.meta.resolve('@scalar/api-reference'))), REFERENCE_SCRIPT);
