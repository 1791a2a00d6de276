/** History that can not be trusted. The exchange does not start on it; the sentence says where to look. */
export class HistoryDamaged extends Error {
  override readonly name = 'HistoryDamaged';
  readonly file: string;
  readonly offset: number;

  constructor(options: { file: string; offset: number; reason: string; cause?: unknown }) {
    super(`the journal is damaged: ${options.file} at offset ${options.offset}: ${options.reason}`, { cause: options.cause });
    this.file = options.file;
    this.offset = options.offset;
  }
}

/** The journal is whole, but this program does not reach the state that the journal proves. */
export class ReplayDiffers extends Error {
  override readonly name = 'ReplayDiffers';
}
