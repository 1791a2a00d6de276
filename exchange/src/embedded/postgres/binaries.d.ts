import type { ServerUser } from './server-user.ts';
export interface Binaries {
    readonly initdb: string;
    readonly postgres: string;
    /** The major version, as `PG_VERSION` of a cluster names it. */
    readonly major: string;
}
/** The package's own folder when the user can run it there, else a copy in the system's temporary folder. */
export declare function findBinaries(user: ServerUser): Promise<Binaries>;
