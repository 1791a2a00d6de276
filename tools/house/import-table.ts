/** Who may import whom: the table of ARCHITECTURE.md as data, compared with every package.json and every import. */
import { specifiersOf } from './import-graph.ts';

export interface PackageFacts {
  /** Name without the scope, such as `engine`. */
  readonly name: string;
  readonly dependencies: readonly string[];
}

const FOR_SERVICES = ['units', 'protocol', 'rules', 'views', 'api', 'foundation'];
const EVERYTHING = 'everything';

/** Our packages that each package may depend on. */
const ALLOWED: Readonly<Record<string, readonly string[] | typeof EVERYTHING>> = {
  units: [],
  protocol: ['units'],
  rules: ['units', 'protocol'],
  views: ['units', 'protocol', 'rules'],
  engine: ['units', 'protocol', 'rules'],
  api: ['units', 'protocol'],
  contracts: [],
  foundation: ['units', 'protocol', 'views', 'api'],
  sequencer: ['units', 'protocol', 'rules', 'views', 'engine'],
  gateway: FOR_SERVICES,
  accounts: FOR_SERVICES,
  campaign: FOR_SERVICES,
  fund: FOR_SERVICES,
  indexer: [...FOR_SERVICES, 'contracts'],
  operators: FOR_SERVICES,
  otc: FOR_SERVICES,
  prices: FOR_SERVICES,
  projector: FOR_SERVICES,
  sdk: ['units', 'protocol', 'api', 'views'],
  'market-maker': ['units', 'protocol', 'rules', 'views', 'api', 'sdk'],
  'fund-manager': ['units', 'protocol', 'rules', 'views', 'api', 'sdk', 'market-maker'],
  terminal: ['units', 'protocol', 'rules', 'views', 'api', 'sdk', 'contracts'],
  exchange: EVERYTHING,
  mutation: [],
  bench: EVERYTHING,
  simulator: EVERYTHING,
  torture: EVERYTHING,
};

/** Packages that may use nothing but the language: no npm package either. */
const PURE = new Set(['units', 'protocol', 'rules', 'views', 'engine']);

const SCOPE = '@orrery/';

/** Sentences about each dependency that the table does not allow; empty when all is well. */
export function importTableViolations(packages: readonly PackageFacts[]): readonly string[] {
  return packages.flatMap(({ name, dependencies }) => {
    const allowed = ALLOWED[name];
    if (allowed === undefined) return [`${name} is not in the import table`];
    return dependencies.flatMap((dependency) => {
      if (!dependency.startsWith(SCOPE)) return PURE.has(name) ? [`${name} is pure and may not depend on ${dependency}`] : [];
      const target = dependency.slice(SCOPE.length);
      return allowed === EVERYTHING || allowed.includes(target) ? [] : [`${name} may not import ${target}`];
    });
  });
}

/** The packages (not files) that a source text imports. */
export function importedPackages(source: string): readonly string[] {
  return specifiersOf(source)
    .filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
    .map((specifier) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}
