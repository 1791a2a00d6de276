/** Message ids of the terminal that no source names any more: their texts would be translated and loaded for nothing. */
import type { SourceFile } from './source-rules.ts';

const CATALOGUE = /\/i18n\/messages\/en\/[a-z-]+\.ts$/;
const DEFINED = /^\s+'([a-z][\w.-]*)':/gm;
const LITERAL = /'([a-z][\w.-]*)'|"([a-z][\w.-]*)"/g;
const TEMPLATE = /`([a-z][\w.-]*\.(?:[\w.-]|\$\{[^}`]*\})*)`/g;

const isNamedByCode = ({ path }: SourceFile): boolean =>
  path.startsWith('clients/terminal/src/') && /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.includes('/i18n/messages/');

/** A template names each id of its form: `steps.${name}.hint` names `steps.fund.hint`. */
const formOf = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll(/[.]/g, '\\.').replaceAll(/\$\{[^}]*\}/g, String.raw`[\w.-]+`)}$`);

/** Ids of the English catalogue that the sources name neither whole nor by a template. */
export function unusedMessageIds(sources: readonly SourceFile[]): readonly string[] {
  const code = sources.filter(isNamedByCode).map(({ text }) => text);
  const literals = new Set(code.flatMap((text) => [...text.matchAll(LITERAL)].map(([, single, double]) => single ?? double ?? '')));
  const forms = [...new Set(code.flatMap((text) => [...text.matchAll(TEMPLATE)].map(([, template = '']) => template)))].map(formOf);
  const defined = sources
    .filter(({ path }) => CATALOGUE.test(path))
    .flatMap(({ text }) => [...text.matchAll(DEFINED)].map(([, id = '']) => id));
  return defined.filter((id) => !literals.has(id) && !forms.some((form) => form.test(id)));
}
