export interface ServerUser {
    readonly uid: number;
    readonly gid: number;
}
/**
 * Ourselves, unless we are root: then whoever owns the cluster already, else an unprivileged user.
 * `initdb` wants a user that the system knows by name, so none is made up.
 */
export declare function serverUser(cluster: string): Promise<ServerUser>;
