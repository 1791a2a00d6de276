import type { Binaries } from './binaries.ts';
import type { ServerUser } from './server-user.ts';
export declare const DATABASE_USER = "orrery";
/**
 * The server is started inside its folder and told to look "here". So it never walks the path from the root,
 * which may be closed to its user (a checkout below /root) or longer than a socket's name may be.
 */
export declare const HERE = "/proc/self/cwd";
export declare function prepareCluster(options: {
    cluster: string;
    binaries: Binaries;
    user: ServerUser;
}): Promise<void>;
