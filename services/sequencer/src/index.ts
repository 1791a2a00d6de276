export { openSequencer } from './open-sequencer.ts';
export { Sequencer } from './sequencer.ts';
export { nodeDisk } from './node-disk.ts';
export { HistoryDamaged, ReplayDiffers } from './damage.ts';
export { FolderInUse } from './lock.ts';
export { DEFAULT_LIMITS } from './options.ts';
export type { Clock, SequencerLimits, SequencerOptions } from './options.ts';
export type { EngineFactory } from './engine-factory.ts';
export type { Disk, WritableFile } from './disk.ts';
