/** Where `npm test` is late on a slow machine, less is drawn of what is drawn at random: everything else has its time then. */
export declare const hasLittleTime: boolean;
/** @param all moments of a kill, the earliest first @returns all of them; with little time the last, and by chance one of those before it */
export declare function momentsOf(all: readonly number[]): readonly number[];
