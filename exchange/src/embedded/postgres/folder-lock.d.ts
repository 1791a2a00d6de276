export interface FolderLock {
    release(): Promise<void>;
}
/** An abstract socket named for the folder: taken atomically, and given back by the kernel however the program ends. */
export declare function lockFolder(directory: string): Promise<FolderLock>;
