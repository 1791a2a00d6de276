/** Ids of stops that a change cancels: the person reads of the change, and not that its stop was cancelled. */
const replaced = new Set<string>();

export const isReplaced = (clientOrderId: string): boolean => replaced.has(clientOrderId);

/** While `change` runs and afterwards, unless it throws. */
export async function replacing(clientOrderId: string, change: () => Promise<unknown>): Promise<void> {
  replaced.add(clientOrderId);
  try {
    await change();
  } catch (cause) {
    replaced.delete(clientOrderId);
    throw cause;
  }
}
