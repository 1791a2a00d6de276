/** House rules about single source files that no linter knows. Each gives sentences; no sentence, no complaint. */
export interface SourceFile {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

interface Rule {
  readonly complaint: string;
  readonly appliesTo: (path: string) => boolean;
  readonly pattern: RegExp;
}

export const isTest = (path: string): boolean => /\.(test|e2e)\.tsx?$/.test(path) || path.includes('/testing/');

const RULES: readonly Rule[] = [
  {
    complaint: 'forges a brand: brands are made in core/units only',
    appliesTo: (path) => !path.startsWith('core/units/') && !isTest(path),
    pattern: /\bas (Ticks|Lots|Atoms|Ppm|AccountId|AssetId|MarketId|OrderId|TradeId|Seq|Millis|Address)\b(?!\s*\[)/,
  },
  {
    complaint: 'reads a float out of text: amounts are parsed by @orrery/units',
    appliesTo: (path) => /^(core|api|services\/(gateway|accounts|indexer|sequencer))\//.test(path) && !isTest(path),
    pattern: /\bparseFloat\(/,
  },
  {
    complaint: 'holds an absolute path of some machine',
    appliesTo: () => true,
    pattern: /['"`](\/home\/|\/Users\/|\/work\/|\/root\/)/,
  },
  {
    complaint: 'makes a radio group of its own: ui/radio-group is one tab stop and answers to the arrow keys',
    appliesTo: (path) => path.startsWith('clients/terminal/src/') && path !== 'clients/terminal/src/kit/ui/radio-group.tsx',
    pattern: /\brole="radio(group)?"/,
  },
  {
    complaint: 'calls the exchange past data/: what a page reads and does goes through that folder, which keeps it by account',
    appliesTo: (path) =>
      path.startsWith('clients/terminal/src/') &&
      !/^clients\/terminal\/src\/(platform\/(client|captcha|data|session)\/|main\.tsx$)/.test(path) &&
      !isTest(path),
    pattern: /from '[./]+client\/(client|http|query-client|access-tokens|refresh|routed-fetch)\.ts'|\buseQuery(Client)?\b/,
  },
  {
    complaint: 'reads the stream past data/streams/: what it brings is loading, stale or failed there, as an answer of a call is',
    appliesTo: (path) =>
      path.startsWith('clients/terminal/src/') && !/^clients\/terminal\/src\/platform\/(feed|data)\//.test(path) && !isTest(path),
    pattern:
      /from '[./]+feed\/(account-store|browser-feed|feed|ladder-store|market-feed|messages|running|store|ticket-desk)\.ts'|\bnew WebSocket\b/,
  },
  {
    complaint: 'waits for code without a boundary: ui/panel loads and fails by itself',
    appliesTo: (path) => /^clients\/terminal\/src\/(?!kit\/ui\/)/.test(path) && !isTest(path),
    pattern: /<Suspense\b/,
  },
  {
    complaint: 'holds a mark of unfinished work',
    appliesTo: (path) => !path.startsWith('tools/house/'),
    pattern: /\b(TODO|FIXME|XXX|HACK)\b|@ts-ignore|@ts-expect-error|\bas any\b/,
  },
];

export function sourceViolations(file: SourceFile): readonly string[] {
  const broken = RULES.filter((rule) => rule.appliesTo(file.path) && rule.pattern.test(file.text));
  return broken.map((rule) => `${file.path} ${rule.complaint}`);
}
