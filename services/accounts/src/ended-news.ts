/**
 * What ended while SQL could not be written, between the processes on one database: each keeps what the others have ended as if it were its own, so that the
 * first of them which reaches SQL writes it, and none takes it for live before that.
 */
import type { Peers } from '@orrery/foundation';
import type { ApiKeys } from './api-keys.ts';
import type { EndedFile, EndedKind, EndedNews } from './ended-file.ts';
import type { Sessions } from './sessions.ts';

/** In one message. */
const LINES_MOST = 1_000;

interface EndedNewsParts {
  /** With accounts on the same database. What is lost is said again. */
  readonly peers: Peers;
  readonly file: EndedFile;
  readonly sessions: Pick<Sessions, 'hearEnded'>;
  readonly apiKeys: Pick<ApiKeys, 'hearEnded' | 'readAgain'>;
  readonly onTrouble: (error: unknown) => void;
}

export class SharedEndings {
  readonly #parts: EndedNewsParts;
  readonly #endListening: () => void;

  constructor(parts: EndedNewsParts) {
    this.#parts = parts;
    parts.file.announceTo((news) => this.#send(news));
    this.#endListening = parts.peers.onMessage((message) => void this.#hear(message).catch(parts.onTrouble));
  }

  /** All that SQL does not have: a process that was not there, or heard nothing, hears it now. */
  sayAgain(): void {
    this.#send({ ended: this.#parts.file.lines() });
  }

  close(): void {
    this.#endListening();
    this.#parts.file.announceTo(() => undefined);
  }

  #send({ ended = [], saved = [] }: EndedNews): void {
    const { peers } = this.#parts;
    for (let from = 0; from < ended.length; from += LINES_MOST)
      peers.send(JSON.stringify({ ended: ended.slice(from, from + LINES_MOST) } satisfies EndedNews));
    for (let from = 0; from < saved.length; from += LINES_MOST)
      peers.send(JSON.stringify({ saved: saved.slice(from, from + LINES_MOST) } satisfies EndedNews));
  }

  /** Over in memory at once, then on the disk. */
  async #hear(message: string): Promise<void> {
    const { file, sessions, apiKeys } = this.#parts;
    const news = JSON.parse(message) as EndedNews;
    const { fresh, kept } = file.hear(news);
    sessions.hearEnded(idsOf('session', fresh));
    apiKeys.hearEnded(idsOf('apiKey', fresh));
    await kept;
    // A key may have been switched on again, in a row that this process has read before it heard of that.
    for (const accessKey of idsOf('apiKey', news.saved ?? [])) await apiKeys.readAgain(accessKey);
  }
}

const idsOf = (kind: EndedKind, lines: readonly string[]): readonly string[] =>
  lines.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1));
