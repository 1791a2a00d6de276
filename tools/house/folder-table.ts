/**
 * Which folder of a package may import which, as data. A row lists the places of a package's `src` from the bottom to the top, and each place
 * imports only those before it: so no circle of folders can be. A place is a folder without the folders inside it, or one file of a folder
 * that holds others, where some of its files lie under those and some above. `.` is `src` itself. Folders of one folder stand together in the
 * row: each of `src` is a floor, which imports the floors below it. `areas/*` is any folder of the floor that the row does not name: it imports those
 * named before, and none of its own kind.
 */
import { posix } from 'node:path';
import { circles, type ImportGraph, importGraph, specifiersOf } from './import-graph.ts';
import { isTest, type SourceFile } from './source-rules.ts';

export type FolderTable = Readonly<Record<string, readonly string[]>>;

/** Packages whose sources lie in one folder need no row. */
export const FOLDERS: FolderTable = {
  'core/protocol': row('. codec index.ts'),
  'core/engine':
    row(`accounts book keyed ledger prices positions margin funds clearing risk triggers instruments money client-order-ids orders funding timers liquidation otc fund exchange.ts
    futures snapshot aftermath.ts due.ts rounds decide-contract.ts decide-otc.ts engine.ts index.ts`),
  'services/campaign': row('ports.ts binomial.ts clusters tables members awards whitelist faucet tasks lucky leaderboard .'),
  'services/accounts': row(
    'opaque-token.ts sealed-secret.ts tables.ts keys person-keys.ts slow-hash.ts code-alarm.ts mail push captcha factors names files identity .',
  ),
  'services/gateway': row('limits input . signing http market-data orders futures stream pages gateway.ts index.ts'),
  'services/prices': row('. live open-prices.ts index.ts'),
  exchange:
    row(`start-error.ts version.ts currency-rate.ts trace-receiver.ts rate-port.ts answering-pool.ts database.ts changes.ts engines.ts embedded/chain embedded/postgres history duties.ts nearest.ts setting-kinds.ts settings.ts redaction.ts
    signer-settings.ts messages contract-plans.ts fund-plans.ts upgrade-of-rules.ts listing.ts installation.ts configuration-file.ts read-settings.ts config.ts closing.ts
    traces surroundings.ts place.ts shared-news.ts shared-deployment.ts shared-anchor.ts shared-moves.ts house-addresses.ts terms.ts leaderboard-terms.ts first-liquidity.ts
    external-signer.ts chain-signers.ts start-database.ts start-chain.ts journal start-heart.ts port.ts program-heart.ts backup link services metrics .`),
  'clients/terminal': row(`kit/i18n/messages/en kit/i18n kit/format kit/storage kit/sound kit/settings kit/ui kit/gallery
    platform/signer platform/actions platform/client platform/captcha platform/factors platform/wallet platform/session platform/data
    platform/analytics platform/feed platform/offline platform/data/streams
    market market/chart
    areas/settings-dialog areas/notices areas/sign-in areas/notifications areas/invite areas/share areas/awards areas/tasks areas/balances
    areas/faucet areas/explorer areas/onboarding areas/summary areas/assets areas/portfolio areas/account areas/rewards areas/leaderboard
    areas/lucky areas/insurance areas/points areas/status areas/legal areas/console areas/*
    trade/shared trade/shared/ticket trade/shared/orders trade/shared/tables trade/shared/dialogs trade/shared/book trade/shared/market trade/shared/layout
    trade/spot/order-words.ts trade/spot/replaced-stops.ts trade/spot/order-news.ts trade/spot/order-toasts.ts
    trade/spot/ticket trade/spot/tables trade/spot/scale trade/spot
    trade/futures/contract-legs.ts trade/futures/account.ts trade/futures/positions trade/futures/ticket trade/futures/orders
    trade/futures/records trade/futures/practice trade/futures/details trade/futures
    app-worker app .`),
  bench: row('measure.ts measured-heart.ts book engine door status terminal idle capacity .'),
  simulator: row(`chance.ts timeline.ts meters.ts violation.ts fewest.ts life.ts net.ts plan.ts door.ts
    disk database chain oracle clients hearts apart .`),
  torture: row('golden . heart program instruments experiments main.ts'),
};

function row(places: string): readonly string[] {
  return places.split(/\s+/);
}

/** Beside the platform: they look into every package, and into what its tests are made of. */
const BESIDE: ReadonlySet<string> = new Set(['bench', 'simulator', 'torture']);

export interface SourcePackage {
  /** Relative to the repository, such as `core/engine`. */
  readonly directory: string;
  /** Such as `@orrery/engine`. */
  readonly name: string;
}

export interface Ground {
  readonly sources: readonly SourceFile[];
  /** All files of the repository: sources import pictures and style sheets too. */
  readonly paths: ReadonlySet<string>;
  readonly table: FolderTable;
}

/** Sentences about the imports inside each package that break its row, or go in a circle; empty when all is well. */
export function folderViolations(packages: readonly SourcePackage[], ground: Ground): readonly string[] {
  const strays = Object.keys(ground.table).filter((directory) => !packages.some((one) => one.directory === directory));
  return [
    ...strays.map((directory) => `${directory} has a row and is no package`),
    ...packages.flatMap((one) => packageViolations(one, ground)),
  ];
}

function packageViolations({ directory, name }: SourcePackage, { sources, paths, table }: Ground): readonly string[] {
  const src = `${directory}/src`;
  const own = sources.filter(({ path }) => path.startsWith(`${src}/`) && /\.tsx?$/.test(path) && !isTest(path));
  const graph = importGraph(own);
  const isOwnName = (specifier: string): boolean => specifier === name || specifier.startsWith(`${name}/`);
  const strangers = BESIDE.has(directory) ? [] : importsOfStrangers(graph, { directory, paths });
  return [
    ...own.filter(({ text }) => specifiersOf(text).some(isOwnName)).map(({ path }) => `${path} imports its own package by name`),
    ...strangers,
    ...circles(graph).map((circle) => `${circle} is a circle`),
    ...rowViolations(graph, { src, row: table[directory] ?? (own.length === 0 ? [] : ['.']) }),
  ];
}

/** An import that names no file would be an edge that nobody sees. */
function importsOfStrangers(
  graph: ImportGraph,
  { directory, paths }: { directory: string; paths: ReadonlySet<string> },
): readonly string[] {
  const complaintAbout = (imported: string): string | undefined => {
    if (!imported.startsWith(`${directory}/`)) return 'outside its package';
    if (isTest(imported)) return 'of the tests';
    return paths.has(imported) ? undefined : 'that is not there';
  };
  return edgesOf(graph).flatMap(([file, imported]) => {
    const complaint = complaintAbout(imported);
    return complaint === undefined ? [] : [`${file} imports a file ${complaint}: ${imported}`];
  });
}

function rowViolations(graph: ImportGraph, { src, row }: { src: string; row: readonly string[] }): readonly string[] {
  const placeOf = (path: string): string => {
    const file = posix.relative(src, path);
    const folder = posix.dirname(file);
    const others = `${folder.split('/')[0]}/*`;
    return row.includes(file) ? file : row.includes(folder) || !row.includes(others) ? folder : others;
  };
  const places = new Set([...graph.keys()].map(placeOf));
  const upward = edgesOf(graph).filter(
    ([file, imported]) => graph.has(imported) && row.indexOf(placeOf(file)) < row.indexOf(placeOf(imported)),
  );
  const sideways = edgesOf(graph).filter(
    ([file, imported]) =>
      graph.has(imported) && isAny(placeOf(file)) && isAny(placeOf(imported)) && posix.dirname(file) !== posix.dirname(imported),
  );
  return [
    ...[...places].filter((place) => !row.includes(place)).map((place) => `${src}: ${place} stands in no row`),
    ...row.filter((place) => !places.has(place) && !isAny(place)).map((place) => `${src}: ${place} stands in the row and is not there`),
    ...row.filter((place) => isSplit(place, row)).map((place) => `${src}: ${place} stands apart from a folder that holds no other`),
    ...returningFloors(row).map((floor) => `${src}: ${floor} is two floors of the row`),
    ...upward.map(([file, imported]) => `${file} imports ${imported}, but ${placeOf(file)} lies below ${placeOf(imported)}`),
    ...sideways.map(([file, imported]) => `${file} imports ${imported}, and neither folder has a place in the row`),
  ];
}

/** Which folders of `src` come again in the row after another began. */
function returningFloors(row: readonly string[]): readonly string[] {
  const floors = row.filter((place) => !isFile(place)).map((place) => place.split('/')[0] ?? place);
  return [...new Set(floors.filter((floor, at) => floor !== floors[at - 1] && floors.indexOf(floor) < at))];
}

/** Floors of a package from the bottom to the top, and its folders on them, as people read of them: two names deep. */
export const foldersOf = (row: readonly string[]): readonly string[] => [
  ...new Set(
    row
      .filter((place) => place !== '.' && !isAny(place))
      .map((place) => (isFile(place) ? posix.dirname(place) : place).split('/').slice(0, 2).join('/')),
  ),
];

/** The files of a plain folder stay together: taken apart, a circle of two folders would look like none. */
function isSplit(place: string, row: readonly string[]): boolean {
  const folder = posix.dirname(place);
  const isInside = (other: string): boolean => !isFile(other) && other !== '.' && posix.dirname(other) === folder;
  return isFile(place) && !row.some(isInside);
}

const isAny = (place: string): boolean => place.endsWith('/*');

const isFile = (place: string): boolean => /\.tsx?$/.test(place);

const edgesOf = (graph: ImportGraph): readonly (readonly [file: string, imported: string])[] =>
  [...graph].flatMap(([file, all]) => all.map((imported) => [file, imported] as const));
