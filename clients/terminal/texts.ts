/**
 * Texts come with the code that shows them. The first word of a message id is its area, as `trade` of `trade.buy`; a module that names an id of an
 * area imports that area's texts, so that a page loads the texts of its own areas and no other, and none can be missing.
 */
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { en } from './src/kit/i18n/messages/en/index.ts';

type Texts = Readonly<Record<string, string>>;

const catalog = fileURLToPath(new URL('src/kit/i18n/catalog.ts', import.meta.url));
const MODULE = 'orrery-texts/';

export const areaOf = (messageId: string): string => messageId.slice(0, messageId.indexOf('.'));

const areas: ReadonlyMap<string, Texts> = new Map(
  Object.entries(Object.groupBy(Object.entries(en), ([messageId]) => areaOf(messageId))).map(([area, texts = []]) => [
    area,
    Object.fromEntries(texts),
  ]),
);

/** The areas of the ids that a source file names, whole or as the beginning of a template. */
export function areasIn(code: string): readonly string[] {
  const named = [...code.matchAll(/['"`]([a-z][A-Za-z]*)\./g)].map(([, area = '']) => area);
  return [...new Set(named)].filter((area) => areas.has(area)).toSorted();
}

/** Messages are compiled here, so that nobody has to load what compiles them. */
function moduleOf(area: string): string {
  const compiled = Object.entries(areas.get(area) ?? {}).map(([messageId, message]) => [messageId, compileMessage(message)]);
  return `import { addTexts } from ${JSON.stringify(catalog)};\naddTexts('en', ${JSON.stringify(Object.fromEntries(compiled))});`;
}

export const textsByArea = (): Plugin => ({
  name: 'orrery-texts',
  enforce: 'pre',
  resolveId: (id) => (id.startsWith(MODULE) ? `\0${id}` : null),
  load: (id) => (id.startsWith(`\0${MODULE}`) ? moduleOf(id.slice(MODULE.length + 1)) : null),
  transform: {
    filter: { id: /\/clients\/terminal\/src\/(?!i18n\/).*\.tsx?$/ },
    handler: (code) => ({
      code: `${areasIn(code)
        .map((area) => `import '${MODULE}${area}';`)
        .join('')}${code}`,
      map: null,
    }),
  },
});
