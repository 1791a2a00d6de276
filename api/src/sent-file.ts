/** A file as it travels: the body of an upload, and the answer of a download. */
export class SentFile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** With its extension; made by the exchange, undefined on the way in. */
  readonly name: string | undefined;

  constructor(type: string, bytes: Uint8Array<ArrayBuffer>, name?: string) {
    this.type = type;
    this.bytes = bytes;
    this.name = name;
  }
}

interface SentPiecesParts {
  readonly type: string;
  readonly name: string;
  /** Of all pieces together. */
  readonly bytes: number;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** A file that is too large for memory: the answer of a download, sent piece by piece at the pace at which it is taken. */
export class SentPieces {
  readonly type: string;
  readonly name: string;
  readonly bytes: number;
  readonly pieces: AsyncIterable<Uint8Array>;

  constructor({ type, name, bytes, pieces }: SentPiecesParts) {
    this.type = type;
    this.name = name;
    this.bytes = bytes;
    this.pieces = pieces;
  }
}
