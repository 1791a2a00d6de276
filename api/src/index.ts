export * from './access.ts';
export * from './error.ts';
export * from './envelope.ts';
export * from './route.ts';
