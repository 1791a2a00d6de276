/** Messages to everybody: notices in a list, banners across the page, posters on the points page. */
import { Type, type Static } from 'typebox';
import { Count, listed, Millis, nullable, Page, PageSize, strict } from './fields.ts';
import { routes } from './route.ts';

export const NoticeKind = Type.Enum(['NOTICE', 'BANNER', 'POSTER']);
export type NoticeKind = Static<typeof NoticeKind>;

export const NOTICE_TITLE_MAX = 120;
export const NOTICE_TEXT_MAX = 2_000;

/** A page of ours or a place on the web: never a script, never an address without TLS. */
const Link = Type.String({
  maxLength: 256,
  pattern: '^(/([0-9A-Za-z?=#_.~-][0-9A-Za-z/?=#&%_.~-]*)?|https://[0-9A-Za-z][0-9A-Za-z/:?=#&%_.~-]*)$',
  description: 'a path of ours, or https',
});
const Title = Type.String({ minLength: 1, maxLength: NOTICE_TITLE_MAX });
/** Plain text: pages show it as it is, and never as markup. */
const Text = Type.String({ maxLength: NOTICE_TEXT_MAX });

const NOTICE = {
  noticeId: Count,
  kind: NoticeKind,
  title: Type.String(),
  text: Type.String(),
  link: nullable(Type.String()),
  startsAt: Millis,
  endsAt: nullable(Millis),
};
export const Notice = Type.Object(NOTICE);
export type Notice = Static<typeof Notice>;

/** As operators see it: with those that are over or not there yet. */
export const DeskNotice = Type.Object({ ...NOTICE, createdBy: Type.String(), state: Type.Enum(['UPCOMING', 'SHOWN', 'ENDED']) });
export type DeskNotice = Static<typeof DeskNotice>;

export const noticeRoutes = routes({
  notices: {
    method: 'GET',
    path: '/pro/p/notice/list',
    access: 'public',
    rate: 'public',
    summary: 'The notices to everybody that are shown now, newest first.',
    query: strict({ kind: Type.Optional(NoticeKind) }),
    response: Type.Array(Notice),
  },
  posters: {
    method: 'GET',
    path: '/pro/p/poster/list',
    access: 'public',
    rate: 'public',
    summary: 'The posters of the points page that are shown now, newest first.',
    response: Type.Array(Notice),
  },
});

export const noticeDeskRoutes = routes({
  deskNotices: {
    method: 'GET',
    path: '/pro/o/notice/list',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'Every notice, banner and poster there was, newest first.',
    query: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(DeskNotice),
  },
  createNotice: {
    method: 'POST',
    path: '/pro/o/notice/create',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary: 'Publish a notice, a banner or a poster.',
    body: strict({
      kind: NoticeKind,
      title: Title,
      text: Text,
      link: Type.Optional(Link),
      startsAt: Type.Optional(Millis),
      endsAt: Type.Optional(Millis),
    }),
    response: Type.Object({ noticeId: Count }),
  },
  endNotice: {
    method: 'POST',
    path: '/pro/o/notice/end',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary: 'Show a notice, a banner or a poster no longer.',
    body: strict({ noticeId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
    response: Type.Object({ noticeId: Count }),
  },
});
