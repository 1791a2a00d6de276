export { startProjector, type HistorySource, type Projector, type ProjectorOptions, type ProjectorStatus } from './projector.ts';
export { type AccountActivity, History, type HistoryParts } from './history.ts';
export { ContractHistory, type PriceMinute, type TradedVolume } from './contract-history.ts';
export { Written } from './written.ts';
export { countRows, emptyProjection, readOffset } from './store.ts';
export { migrations, type ProjectorTables } from './tables.ts';
export { portfolioHandlers } from './portfolio-handlers.ts';
export { timelineHandlers } from './timeline-handlers.ts';
export { Timelines } from './timeline.ts';
