/** The production engine, for everyone who makes one from history. */
import { createEngine, decodeState } from '@orrery/engine';

export const ENGINES = { createEngine, decodeState };
