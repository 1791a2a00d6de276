/** Files of an account's history, made on the server as a job: listed with its progress, downloaded while they are kept. */
import { Type, type Static } from 'typebox';
import { EXPORT_FILES } from './export-files.ts';
import { Count, listed, Millis, nullable, strict, WalletName } from './fields.ts';
import { routes } from './route.ts';

/** Of one account within 24 hours; one that failed does not count. */
export const EXPORTS_PER_DAY = 10;
/** After it was made. */
export const EXPORT_KEPT_DAYS = 7;
export const EXPORT_LINK_SECONDS = 60;
/** Of all files of an export. */
export const EXPORT_ROWS_MAX = 1_000_000;

/** ORRERY: a file for each kind, with every fact. KOINLY and COINTRACKING: one file that the program of that name imports. */
export const EXPORT_LAYOUTS = ['ORRERY', 'KOINLY', 'COINTRACKING'] as const;
export const ExportLayout = Type.Enum([...EXPORT_LAYOUTS]);
export type ExportLayout = Static<typeof ExportLayout>;

export const EXPORT_KINDS = ['FILLS', 'ORDERS', 'BILLS', 'DEPOSITS', 'WITHDRAWALS', 'FUNDING', 'AWARDS'] as const;
export const ExportKind = Type.Enum([...EXPORT_KINDS]);
export type ExportKind = Static<typeof ExportKind>;

export const EXPORT_STATES = ['WAITING', 'RUNNING', 'READY', 'FAILED'] as const;
export const EXPORT_FAILURES = ['TOO_LARGE', 'ERROR'] as const;

export const ExportId = Type.String({ minLength: 32, maxLength: 32, pattern: '^[0-9a-f]{32}$', description: 'given by the exchange' });
const FileName = Type.Enum(Object.keys(EXPORT_FILES) as (keyof typeof EXPORT_FILES)[]);

export const CreateExport = strict(
  {
    layout: Type.Optional(ExportLayout),
    startTime: Type.Optional(Millis),
    endTime: Type.Optional(Millis),
    accounts: Type.Optional(Type.Array(WalletName, { minItems: 1, maxItems: 4, uniqueItems: true })),
    kinds: Type.Optional(Type.Array(ExportKind, { minItems: 1, maxItems: EXPORT_KINDS.length, uniqueItems: true })),
  },
  'layout: ORRERY unless given. startTime, endTime: both included; without them from the beginning, and until the call. accounts: the wallets, all unless given. ' +
    'kinds: of the layout ORRERY, all unless given',
);
export type CreateExport = Static<typeof CreateExport>;

export const Export = Type.Object({
  exportId: ExportId,
  layout: ExportLayout,
  startTime: nullable(Millis),
  endTime: nullable(Millis),
  accounts: Type.Array(WalletName),
  kinds: Type.Array(ExportKind),
  state: Type.Enum([...EXPORT_STATES]),
  progress: Type.Integer({ minimum: 0, maximum: 100, description: 'per cent' }),
  rows: Type.Integer({ minimum: 0, description: 'written so far, without headers' }),
  restarts: Type.Integer({
    minimum: 0,
    description: 'how often it was begun again from the start, because history was rebuilt or it was tried again',
  }),
  failure: nullable(Type.Enum([...EXPORT_FAILURES]), { description: 'TOO_LARGE: more than a million rows; choose a shorter period' }),
  files: Type.Array(Type.Object({ file: FileName, rows: Count, bytes: Count }), { description: 'complete once it is READY' }),
  createdTime: Millis,
  finishedTime: nullable(Millis),
  expiresTime: nullable(Type.Integer({ description: 'when its files are deleted, unix milliseconds' })),
});
export type Export = Static<typeof Export>;

const own = { access: 'session', rate: 'manage', sameOrigin: true } as const;

export const exportRoutes = routes({
  createExport: {
    ...own,
    method: 'POST',
    path: '/pro/u/export/create',
    summary:
      'Have files of your history made: complete up to this call, whatever happens meanwhile. One at a time of an account, and 10 in 24 hours. /docs has a dictionary of every ' +
      'file and column.',
    body: CreateExport,
    response: Export,
  },
  exports: {
    method: 'GET',
    path: '/pro/u/export/list',
    access: 'read',
    rate: 'read',
    summary: 'Your exports of the last 7 days with their progress, newest first.',
    response: listed(Export),
  },
  retryExport: {
    ...own,
    method: 'POST',
    path: '/pro/u/export/retry',
    summary: 'Begin an export again that has failed.',
    body: strict({ exportId: ExportId }),
    response: Export,
  },
  linkExport: {
    method: 'GET',
    path: '/pro/u/export/link',
    access: 'read',
    rate: 'read',
    summary: 'A link to one file of an export of yours that is ready, good for 60 seconds.',
    query: strict({ exportId: ExportId, file: FileName }),
    response: Type.Object({ url: Type.String({ description: 'path and query' }), expiresTime: Millis }),
  },
  downloadExport: {
    method: 'GET',
    path: '/pro/p/export/download',
    access: 'public',
    rate: 'public',
    download: 'inPieces',
    summary: 'The file of a link: CSV by RFC 4180 in UTF-8, as an attachment and without an envelope; the link is the permission.',
    query: strict({
      exportId: ExportId,
      file: FileName,
      expires: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'unix milliseconds' }),
      signature: Type.String({ minLength: 43, maxLength: 43, pattern: '^[0-9A-Za-z_-]{43}$' }),
    }),
    response: Type.String({ description: 'the file' }),
  },
});
