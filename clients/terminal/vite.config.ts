/** Builds the terminal into dist/: hashed files, no inline script, style or font, as the content security policy demands. */
import babel from '@rolldown/plugin-babel';
import tailwindcss from '@tailwindcss/vite';
import react, { reactCompilerPreset } from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { appWorker } from './app-worker.ts';
import { chunkGroups } from './chunk-groups.ts';
import { preloadFont } from './preload-font.ts';
import { packedFiles } from './packed-files.ts';
import { pagePaths } from './page-paths.ts';
import { signerPage } from './signer-page.ts';
import { slimContract, treeshake, treeshakeOfWorker } from './slim.ts';
import { textsByArea } from './texts.ts';

const exchange = process.env['ORRERY_URL'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [
    slimContract(),
    textsByArea(),
    preloadFont(),
    pagePaths(),
    tailwindcss(),
    react(),
    babel({ presets: [reactCompilerPreset()] }),
    signerPage(),
    appWorker(),
    packedFiles(),
  ],
  resolve: {
    alias: {
      // The library writes a <style> element, which `style-src 'self'` forbids; ours adopts a constructed sheet.
      'react-style-singleton': fileURLToPath(new URL('src/kit/ui/adopted-style.ts', import.meta.url)),
    },
  },
  // Hosts other than the page's own, as JSON: {"api":{"test":…,"preview":…,"prod":…},"spot":…,"perps":…}. The server's policy must allow them.
  define: {
    __ORRERY_HOSTS__: process.env['ORRERY_HOSTS'] ?? '{"api":{}}',
    __ORRERY_ENVIRONMENT__: JSON.stringify(process.env['ORRERY_ENV'] ?? 'test'),
  },
  build: {
    target: 'es2024',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    // The first script names every other: seven letters of a hash tell versions apart as well as eight, and weigh less.
    rolldownOptions: { treeshake, output: { chunkFileNames: 'assets/[name]-[hash:7].js', codeSplitting: { groups: [...chunkGroups] } } },
  },
  worker: { format: 'es', plugins: () => [slimContract()], rolldownOptions: { treeshake: treeshakeOfWorker } },
  server: {
    proxy: {
      '^/(pro|spot|futures|biz|rpc|chain|openapi|sandbox)(/|$)': { target: exchange, ws: true },
      '^/(faucet|otc)/api/': { target: exchange },
    },
  },
});
