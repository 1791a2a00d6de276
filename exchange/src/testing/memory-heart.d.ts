import { type Applied, type Command, type Heart, type HeartStatus, type Receipt, type View } from '@orrery/protocol';
import { type Seq } from '@orrery/units';
export declare class MemoryHeart implements Heart {
    #private;
    readonly history: Applied[];
    constructor(now: () => number);
    submit(command: Command): Promise<Receipt>;
    open(): View;
    subscribe(after: Seq): AsyncIterable<readonly Applied[]>;
    status(): HeartStatus;
    /** Every submit fails from now on, as when the program is about to die; the tails stay open. */
    fail(): void;
    recover(): void;
    /** Ends every tail. */
    stop(): void;
}
