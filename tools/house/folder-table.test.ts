import { describe, expect, test } from 'vitest';
import { folderViolations } from './folder-table.ts';

const SHOP = { directory: 'services/shop', name: '@orrery/shop' };
const src = 'services/shop/src';

/** What is wrong with a package of these files, by path in `src`, and of this row. */
function violations(
  texts: Readonly<Record<string, string>>,
  row: readonly string[] = ['.'],
  directory = SHOP.directory,
): readonly string[] {
  const sources = Object.entries(texts).map(([path, text]) => ({ path: `${directory}/src/${path}`, text }));
  const ground = { sources, paths: new Set(sources.map(({ path }) => path)), table: { [directory]: row } };
  return folderViolations([{ ...SHOP, directory }], ground);
}

describe('a planted circle of files is found', () => {
  test.each([
    ['an import', "import { goods } from './shelf.ts';"],
    ['an import of several lines', "import {\n  goods,\n  prices,\n} from './shelf.ts';"],
    ['a type-only import', "import type { Goods } from './shelf.ts';"],
    ['a type among values', "import { type Goods } from './shelf.ts';"],
    ['a type written where it is used', "type Goods = import('./shelf.ts').Goods;"],
    ['a re-export', "export { goods } from './shelf.ts';"],
    ['a re-export of types', "export type * from './shelf.ts';"],
    ['an import for its effect', "import './shelf.ts';"],
    ['a dynamic import', "const { goods } = await import('./shelf.ts');"],
    ['a dynamic import on two lines', 'const shelf = await import(\n  `./shelf.ts`\n);'],
  ])('that %s closes', (_how, text) => {
    expect(violations({ 'till.ts': text, 'shelf.ts': "import { till } from './till.ts';" })).toEqual([
      `${src}/shelf.ts → ${src}/till.ts → ${src}/shelf.ts is a circle`,
    ]);
  });

  test('by way of a third one, and distinguished from another', () => {
    const texts = {
      'a.ts': "import './b.tsx';",
      'b.tsx': "import './c.ts'; import './d.ts';",
      'c.ts': "import './a.ts';",
      'd.ts': "import './e.ts';",
      'e.ts': "import './d.ts';",
    };
    expect(violations(texts)).toEqual([
      `${src}/d.ts → ${src}/e.ts → ${src}/d.ts is a circle`,
      `${src}/a.ts → ${src}/b.tsx → ${src}/c.ts → ${src}/a.ts is a circle`,
    ]);
  });

  test('of one file alone', () => {
    expect(violations({ 'a.ts': "import './a.ts';" })).toEqual([`${src}/a.ts → ${src}/a.ts is a circle`]);
  });

  test('two ways to one file are none', () => {
    const texts = { 'a.ts': "import './b.ts'; import './c.ts';", 'b.ts': "import './d.ts';", 'c.ts': "import './d.ts';", 'd.ts': '' };
    expect(violations(texts)).toEqual([]);
  });

  test.each(["new Worker(new URL('./worker.ts', import.meta.url))", "import url from './worker.ts?worker&url';"])(
    'a worker is another program: %s',
    (text) => {
      expect(violations({ 'pool.ts': text, 'worker.ts': "import './pool.ts';" })).toEqual([]);
    },
  );
});

describe('a planted circle of folders is found', () => {
  const row = ['goods', 'orders', '.'];
  const plain = {
    'goods/shelf.ts': '',
    'orders/order.ts': "import '../goods/shelf.ts';",
    'index.ts': "export * from './orders/order.ts';",
  };

  test('without one all is well', () => {
    expect(violations(plain, row)).toEqual([]);
  });

  test.each(["import type { Customer } from '../orders/customer.ts';", "import { customer } from '../orders/customer.ts';"])(
    'though no circle of files closes it: %s',
    (text) => {
      expect(violations({ ...plain, 'goods/stock.ts': text, 'orders/customer.ts': '' }, row)).toEqual([
        `${src}/goods/stock.ts imports ${src}/orders/customer.ts, but goods lies below orders`,
      ]);
    },
  );

  test('that the top closes', () => {
    expect(violations({ ...plain, 'goods/stock.ts': "import type { Shop } from '../shop.ts';", 'shop.ts': '' }, row)).toEqual([
      `${src}/goods/stock.ts imports ${src}/shop.ts, but goods lies below .`,
    ]);
  });

  test('of a folder and the one it lies in', () => {
    const texts = { 'goods/shelf.ts': "import './fresh/milk.ts';", 'goods/fresh/milk.ts': "import '../label.ts';", 'goods/label.ts': '' };
    expect(violations(texts, ['goods', 'goods/fresh'])).toEqual([
      `${src}/goods/shelf.ts imports ${src}/goods/fresh/milk.ts, but goods lies below goods/fresh`,
    ]);
    expect(violations(texts, ['goods/label.ts', 'goods/fresh', 'goods'])).toEqual([]);
  });

  test('hidden by a row that takes a plain folder apart', () => {
    const texts = { ...plain, 'goods/stock.ts': "import type { Order } from '../orders/order.ts';" };
    expect(violations(texts, ['goods', 'orders', 'goods/stock.ts', '.'])).toEqual([
      `${src}: goods/stock.ts stands apart from a folder that holds no other`,
    ]);
  });
});

describe('a row says what is there', () => {
  test('a folder without a place is found', () => {
    expect(violations({ 'goods/shelf.ts': '', 'index.ts': '' })).toEqual([`${src}: goods stands in no row`]);
  });

  test('a folder of a floor that takes any needs no place: it imports what is named before, and is imported by what comes after', () => {
    const row = ['stores/goods', 'stores/*', 'street'];
    const goods = { 'stores/goods/shelf.ts': '' };
    const shop = { 'stores/shop/till.ts': "import '../goods/shelf.ts';", 'street/door.ts': "import '../stores/shop/till.ts';" };
    expect(violations({ ...goods, ...shop }, row)).toEqual([]);
    expect(violations({ ...goods, 'street/door.ts': '' }, row)).toEqual([]);
    expect(
      violations({ 'stores/goods/shelf.ts': "import '../shop/till.ts';", 'stores/shop/till.ts': '', 'street/door.ts': '' }, row),
    ).toEqual([`${src}/stores/goods/shelf.ts imports ${src}/stores/shop/till.ts, but stores/goods lies below stores/*`]);
    expect(violations({ ...goods, ...shop, 'stores/cafe/cup.ts': "import '../shop/till.ts';" }, row)).toEqual([
      `${src}/stores/cafe/cup.ts imports ${src}/stores/shop/till.ts, and neither folder has a place in the row`,
    ]);
  });

  test('a place without a folder is found', () => {
    expect(violations({ 'index.ts': '' }, ['goods', '.'])).toEqual([`${src}: goods stands in the row and is not there`]);
  });

  test('folders of one floor stand together', () => {
    const texts = { 'kit/a/a.ts': '', 'kit/b/b.ts': '', 'shop/c/c.ts': '' };
    expect(violations(texts, ['kit/a', 'kit/b', 'shop/c'])).toEqual([]);
    expect(violations(texts, ['kit/a', 'shop/c', 'kit/b'])).toEqual([`${src}: kit is two floors of the row`]);
  });

  test('a row without a package is found', () => {
    expect(folderViolations([], { sources: [], paths: new Set(), table: { 'services/gone': ['.'] } })).toEqual([
      'services/gone has a row and is no package',
    ]);
  });
});

describe('what no source imports', () => {
  test.each([
    ['a test', "import './shelf.test.ts';", `a file of the tests: ${src}/shelf.test.ts`],
    ['what tests are made of', "import type { Fake } from './testing/fake.ts';", `a file of the tests: ${src}/testing/fake.ts`],
    ['another package by its path', "import '../../bank/src/bank.ts';", 'a file outside its package: services/bank/src/bank.ts'],
    ['a file without its extension', "import './shelf';", `a file that is not there: ${src}/shelf`],
  ])('%s', (_what, text, complaint) => {
    const texts = { 'till.ts': text, 'shelf.ts': '', 'shelf.test.ts': '', 'testing/fake.ts': '' };
    expect(violations(texts)).toEqual([`${src}/till.ts imports ${complaint}`]);
  });

  test.each(["import { till } from '@orrery/shop';", "import type { Till } from '@orrery/shop/till';"])('its own package: %s', (text) => {
    expect(violations({ 'till.ts': text })).toEqual([`${src}/till.ts imports its own package by name`]);
  });

  test('a package whose name begins like its own is another one', () => {
    expect(violations({ 'till.ts': "import { Shopper } from '@orrery/shop-window';" })).toEqual([]);
  });

  test('tests import what they like, and those beside the platform too', () => {
    const text = "import '../../services/shop/src/testing/fake.ts';";
    expect(violations({ 'till.ts': '', 'till.test.ts': "import './testing/fake.ts'; import './till.test.ts';" })).toEqual([]);
    expect(violations({ 'main.ts': text }, ['.'], 'torture')).toEqual([]);
  });
});
