import type { Migration } from 'kysely/migration';
import { type Database } from '../database.ts';
export declare function temporaryDatabase<Tables>(migrations: Record<string, Migration>): Promise<Database<Tables>>;
