/** The calls of operators, which their console alone makes. */
import { isOperatorPath } from './operator.ts';
import { contract } from './contract.ts';
import type { Route } from './route.ts';

export const operatorContract: Readonly<Record<string, Route>> = Object.fromEntries(
  Object.entries<Route>(contract).filter(([, { path }]) => isOperatorPath(path)),
);
