export * from './market.ts';
export * from './order.ts';
export * from './commands.ts';
export * from './events.ts';
export * from './rejects.ts';
export * from './port.ts';
export * from './codec/index.ts';
