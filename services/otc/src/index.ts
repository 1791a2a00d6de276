export { otcService, type Otc, type OtcDesk } from './otc.ts';
export type { OtcAnnouncement } from './news.ts';
export { historyOffset } from './history-offset.ts';
export type { OtcTables } from './tables.ts';
