import { expect, test } from 'vitest';
import { reachedFrom } from './runtime-tree.ts';

test('what a workspace reaches: nested packages before others of their name, wishes and optional parts, but nothing for development', () => {
  const packages = {
    '': { dependencies: { left: '1' } },
    exchange: { dependencies: { '@orrery/engine': '1', left: '1' }, optionalDependencies: { here: '1', elsewhere: '1' } },
    'core/engine': { dependencies: { right: '1' } },
    'clients/terminal': { dependencies: { react: '1' } },
    'node_modules/@orrery/engine': { link: true, resolved: 'core/engine' },
    'node_modules/left': { peerDependencies: { peer: '1', unused: '1' }, peerDependenciesMeta: { unused: { optional: true } } },
    'node_modules/left/node_modules/right': {},
    'node_modules/right': {},
    'node_modules/peer': { dependencies: { left: '1' } },
    'node_modules/unused': {},
    'node_modules/here': {},
    'node_modules/react': {},
    'node_modules/@foundry-rs/anvil-linux-amd64': {},
    'node_modules/@foundry-rs/forge-linux-amd64': {},
  };
  expect([...reachedFrom('exchange', packages)].toSorted()).toEqual([
    'core/engine',
    'exchange',
    'node_modules/@foundry-rs/anvil-linux-amd64',
    'node_modules/@orrery/engine',
    'node_modules/here',
    'node_modules/left',
    'node_modules/peer',
    'node_modules/right',
  ]);
});
