/** The other processes of an exchange, whichever of them listen: what one says is heard by the others, and is lost to those that do not listen just then. */
export interface Peers {
  send(message: string): void;
  onMessage(listener: (message: string) => void): () => void;
}
