/** What the sequencer asks of a journal that it writes: a folder of this machine, or a store that several hearts share. */
import type { FrameLink } from './frame.ts';

export interface JournalWriter {
  /** What the next frame carries. */
  readonly link: FrameLink;
  /** In bytes. */
  readonly largestFrame: number;
  /**
   * Resolves when the frame is durable and this heart is still the only writer. The bytes must not change meanwhile.
   * @param place bodyEnd: where the bytes of the frame end; zeros fill it up
   * @throws WriterDeposed: then nothing of it may be acknowledged
   */
  append(frame: Uint8Array, place: { readonly firstSeq: number; readonly bodyEnd: number }): Promise<void>;
  /** Prepares what was used up, when there is room again. Rejects while there is none. */
  refill(): Promise<void>;
  close(): Promise<void>;
  /** Resolves with the reason when this heart can not write any more, though it has nothing to write. */
  readonly lost?: Promise<unknown>;
}
