/** What a person chose on a page of the terminal stands in its address, under a name of its own there: see `kit/ui/in-url.ts`. */
import { isTest, type SourceFile } from './source-rules.ts';

/** Controls of the kit that choose what a page shows. Fields of forms are others. */
const CONTROLS: ReadonlySet<string> = new Set(['Tabs', 'Segmented', 'RadioGroup', 'Select']);
const STATE = /const \[(\w+), \w+\] = useState\b/g;
const STATE_OF_PAGE = /\buseState(<Page\b|\(firstPage\b)/;

/** Sentences about choices that a reload forgets, and about reasons that nothing needs any more. */
export function forgottenChoiceViolations(sources: readonly SourceFile[], reasons: Readonly<Record<string, string>>): readonly string[] {
  const paths = ofPages(sources)
    .filter(isForgetful)
    .map(({ path }) => path);
  return [
    ...paths
      .filter((path) => reasons[path] === undefined)
      .map((path) => `${path} keeps a choice in useState: a reload and a link forget it`),
    ...Object.keys(reasons)
      .filter((path) => !paths.includes(path))
      .map((path) => `${path} has a reason to keep a choice in useState, and keeps none`),
  ];
}

/** The kit has no choices of its own, and its gallery is no page of the product. */
const ofPages = (sources: readonly SourceFile[]): readonly SourceFile[] =>
  sources
    .filter(({ path }) => path.startsWith('clients/terminal/src/') && !isTest(path))
    .map(({ path, text }) => ({ path: path.replace('clients/terminal/src/', ''), text }))
    .filter(({ path }) => !/^kit\/(ui|gallery)\//.test(path));

function isForgetful({ text }: SourceFile): boolean {
  if (STATE_OF_PAGE.test(text)) return true;
  return [...text.matchAll(STATE)].some(([, name = '']) =>
    [...text.matchAll(new RegExp(`\\bvalue=\\{${name}\\}`, 'g'))].some(({ index }) => CONTROLS.has(tagAt(text, index))),
  );
}

/** The element whose attribute stands here. */
const tagAt = (text: string, place: number): string => /<([A-Z]\w*)[^<]*$/.exec(text.slice(0, place))?.[1] ?? '';

/** A name in the address, and where it is given. */
interface Named {
  readonly name: string;
  readonly path: string;
}

const named = (sources: readonly SourceFile[], pattern: RegExp): readonly Named[] =>
  sources.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([, name = '']) => ({ name, path })));

/** Sentences about names that two places give, or that lead to no list. */
export function urlNameViolations(sources: readonly SourceFile[], shared: Readonly<Record<string, string>>): readonly string[] {
  const own = ofPages(sources);
  const choices = named(own, /\buseChoiceInUrl(?:<[^>(]*>)?\(\{\s*name: '(\w+)'/g);
  const lists = [
    ...named(own, /\busePageInUrl\('(\w+)'\)/g),
    ...named(
      own.filter(({ text }) => /\busePageQuery\b|<RecordTable\b/.test(text)),
      /\bkey: \['(\w+)'/g,
    ),
  ];
  const begun = named(own, /\blists: \['(\w+)'\]/g);
  return [
    ...twice(choices, shared),
    ...twice(lists, shared),
    ...choices
      .filter(({ name }) => /(Page|Rows)$/.test(name))
      .map(({ name, path }) => `${path}: ${name} is called like the page of a list`),
    ...begun
      .filter(({ name }) => !lists.some((list) => list.name === name))
      .map(({ name, path }) => `${path}: there is no list ${name} to begin again`),
  ];
}

const twice = (all: readonly Named[], shared: Readonly<Record<string, string>>): readonly string[] =>
  all
    .filter(({ name, path }, at) => shared[name] === undefined && all.findIndex((one) => one.name === name && one.path !== path) > at)
    .map(({ name, path }) => `${path}: ${name} stands for another choice elsewhere`);
