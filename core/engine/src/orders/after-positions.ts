/** What changed positions and ended orders cause before a command ends: orders that waited to reduce what is gone close, and attached ones begin. */
import { beginAttached } from './attached.ts';
import type { CommandScope } from './command-scope.ts';
import { endProtection } from './end-protection.ts';

export function afterPositions(scope: CommandScope): void {
  const { positions, ended } = scope.trading;
  for (const row of positions.touched()) if (row.waiting > 0) endProtection(scope, row);
  for (const order of ended.splice(0)) beginAttached(scope, order);
}
