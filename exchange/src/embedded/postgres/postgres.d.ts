export interface RunningPostgres {
    readonly connection: {
        readonly host: string;
        readonly user: string;
        readonly database: string;
    };
    /** The server's process; changes when it had to be started again. */
    pid(): number;
    stop(): Promise<void>;
}
/**
 * Ends what a killed program left behind, makes the cluster on the first start, and starts the server again if it dies.
 * @throws StartError with one sentence for the person who runs the program.
 */
export declare function startPostgres(options: {
    readonly directory: string;
}): Promise<RunningPostgres>;
