/** The page asks for the font of its words together with its scripts: the first paint waits for it, and its style sheet would name it later. */
import type { Plugin } from 'vite';

/** Without its hash. */
const FONT = /hanken-grotesk-latin-wght-normal-[^/]*\.woff2$/;

export const preloadFont = (): Plugin => ({
  name: 'orrery-preload-font',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const fonts = Object.keys(bundle).filter((name) => FONT.test(name));
      const [font] = fonts;
      if (font === undefined || fonts.length > 1) throw new Error(`one font is preloaded, not ${fonts.length}`);
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${font}` };
      return { html, tags: [{ tag: 'link', attrs, injectTo: 'head-prepend' as const }] };
    },
  },
});
