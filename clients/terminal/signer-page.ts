/** The signing page is a build of its own beside the terminal's: on its origin it shares no file with the pages that embed it. */
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import { slimContract, treeshake } from './slim.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export const signerPage = (): Plugin => ({
  name: 'orrery-signer-page',
  apply: 'build',
  async closeBundle() {
    await build({
      configFile: false,
      root: here('src/platform/signer'),
      logLevel: 'warn',
      plugins: [slimContract()],
      build: {
        target: 'es2024',
        outDir: here('dist/signer'),
        emptyOutDir: true,
        assetsInlineLimit: 0,
        reportCompressedSize: false,
        rolldownOptions: { treeshake },
      },
    });
  },
});
