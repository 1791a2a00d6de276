/** The caller holds the folder's lock, so whatever still works in the cluster belongs to nobody. */
export declare function endOrphans(cluster: string): Promise<void>;
