/** The English catalogue: one file an area, message id to ICU text. A language is added as a folder beside this one. */
import { shell } from './shell.ts';
import { trade } from './trade.ts';

export const en = { ...shell, ...trade } as const;
