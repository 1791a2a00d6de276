/** Notices, banners and posters: what is not over lies in memory, because every visitor asks for it. */
import { ApiError, type DeskNotice, type Notice, type NoticeKind, type Operator } from '@orrery/api';
import { Turns } from '@orrery/foundation';
import type { Selectable } from 'kysely';
import type { AuditLog } from './audit-log.ts';
import type { PageOf, Slice } from './ports.ts';
import type { OperatorsDb, OperatorsTables } from './tables.ts';

/** More of them at a time than anybody reads. */
const SHOWN_MAX = 50;

export interface NewNotice {
  readonly kind: NoticeKind;
  readonly title: string;
  readonly text: string;
  readonly link?: string | undefined;
  readonly startsAt?: number | undefined;
  readonly endsAt?: number | undefined;
}

type Row = Selectable<OperatorsTables['operators_notice']>;

export class Notices {
  readonly #db: OperatorsDb;
  readonly #audit: AuditLog;
  readonly #now: () => number;
  #live: readonly Row[] = [];
  /** Notices whose listeners were called, by number: those that are shown still. */
  #announced: ReadonlySet<number> = new Set();
  readonly #listeners = new Set<(notice: Notice) => void>();
  readonly #turns = new Turns<'load'>();

  constructor(parts: { db: OperatorsDb; audit: AuditLog; now: () => number }) {
    this.#db = parts.db;
    this.#audit = parts.audit;
    this.#now = parts.now;
  }

  /** What is shown at the start was announced before. */
  async start(): Promise<void> {
    await this.#load();
    this.#announced = new Set(this.#shownNotices().map(({ notice_id: noticeId }) => noticeId));
  }

  /** After a change in SQL, by another process. */
  async readAgain(): Promise<void> {
    await this.#load();
    this.announceDue();
  }

  /** Calls `listener` with each notice when it begins to be shown; banners and posters are no messages. */
  onShown(listener: (notice: Notice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  announceDue(): void {
    const before = this.#announced;
    const shown = this.#shownNotices();
    this.#announced = new Set(shown.map(({ notice_id: noticeId }) => noticeId));
    for (const row of shown) {
      if (before.has(row.notice_id)) continue;
      for (const listener of this.#listeners) listener(noticeOf(row));
    }
  }

  #shownNotices(): readonly Row[] {
    return this.#live.filter((row) => row.kind === 'NOTICE' && this.#stateOf(row) === 'SHOWN');
  }

  /** One after the other: of two at once the one that read earlier must not come last. */
  #load(): Promise<void> {
    return this.#turns.take('load', async () => void (this.#live = await this.#read()));
  }

  #read(): Promise<readonly Row[]> {
    return this.#db
      .selectFrom('operators_notice')
      .selectAll()
      .where((of) => of.or([of('ends_at', 'is', null), of('ends_at', '>', this.#now())]))
      .orderBy('starts_at', 'desc')
      .orderBy('notice_id', 'desc')
      .execute();
  }

  /** Newest first. */
  shown(kind: NoticeKind | undefined): Notice[] {
    return this.#live
      .filter((row) => this.#stateOf(row) === 'SHOWN' && (kind === undefined || row.kind === kind))
      .slice(0, SHOWN_MAX)
      .map(noticeOf);
  }

  /** Newest first. */
  async page({ page, size }: Slice): Promise<PageOf<DeskNotice>> {
    const rows = await this.#db
      .selectFrom('operators_notice')
      .selectAll()
      .orderBy('notice_id', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute();
    const { total } = await this.#db
      .selectFrom('operators_notice')
      .select((of) => of.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return { list: rows.map((row) => ({ ...noticeOf(row), createdBy: row.created_by, state: this.#stateOf(row) })), total };
  }

  async create(operator: Operator, notice: NewNotice): Promise<number> {
    const now = this.#now();
    const { kind, title, text, link = null, startsAt = now, endsAt = null } = notice;
    if (title.trim() === '') throw new ApiError('MalformedField', { field: 'title' });
    if (endsAt !== null && endsAt <= Math.max(now, startsAt)) throw new ApiError('MalformedField', { field: 'endsAt' });
    const noticeId = await this.#db.transaction().execute(async (tx) => {
      const { notice_id: noticeId } = await tx
        .insertInto('operators_notice')
        .values({ kind, title, text, link, starts_at: startsAt, ends_at: endsAt, created_by: operator.name })
        .returning('notice_id')
        .executeTakeFirstOrThrow();
      const detail = { noticeId, kind, title, text, link, startsAt, endsAt };
      await this.#audit.append(tx, { operator: operator.name, action: 'CREATE_NOTICE', detail });
      return noticeId;
    });
    await this.readAgain();
    return noticeId;
  }

  async end(operator: Operator, noticeId: number): Promise<void> {
    const now = this.#now();
    await this.#db.transaction().execute(async (tx) => {
      await this.#audit.append(tx, { operator: operator.name, action: 'END_NOTICE', detail: { noticeId } });
      const ended = await tx
        .updateTable('operators_notice')
        .set({ ends_at: now })
        .where('notice_id', '=', noticeId)
        .where((of) => of.or([of('ends_at', 'is', null), of('ends_at', '>', now)]))
        .returning('notice_id')
        .executeTakeFirst();
      if (ended === undefined) throw new ApiError('UnknownThing', { field: 'noticeId' });
    });
    await this.#load();
  }

  #stateOf({ starts_at: startsAt, ends_at: endsAt }: Row): DeskNotice['state'] {
    const now = this.#now();
    if (endsAt !== null && endsAt <= now) return 'ENDED';
    return startsAt > now ? 'UPCOMING' : 'SHOWN';
  }
}

const noticeOf = (row: Row): Notice => ({
  noticeId: row.notice_id,
  kind: row.kind,
  title: row.title,
  text: row.text,
  link: row.link,
  startsAt: row.starts_at,
  endsAt: row.ends_at,
});
