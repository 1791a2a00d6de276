export { assert, AssertionError, unreachable } from './assert.ts';
export type { Brand } from './brand.ts';
export * from './ids.ts';
export * from './amounts.ts';
export * from './decimal.ts';
