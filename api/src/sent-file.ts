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
