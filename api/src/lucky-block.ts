/** Lucky blocks: which blocks are, who has won by them, and the rule. */
import { Type, type Static } from 'typebox';
import { AddressText, Count, HashText, Millis, Page, PageSize, listed, nullable, strict } from './fields.ts';
import { routes } from './route.ts';

/** What the hash of a lucky block begins with: four equal decimal digits. */
export const LUCKY_PREFIXES = ['0x0000', '0x1111', '0x2222', '0x3333', '0x4444', '0x5555', '0x6666', '0x7777', '0x8888', '0x9999'] as const;

export const LUCKY_BLOCK_POINTS = 77_777;

export const isLuckyHash = (blockHash: string): boolean => LUCKY_PREFIXES.some((prefix) => blockHash.startsWith(prefix));

/** Times in unix seconds: the desktop table shows `blockTime`, the mobile one `createdTime`. */
export const LuckyBlock = Type.Object({
  blockId: Type.Integer({ description: 'the number of the block' }),
  blockHash: HashText,
  txHash: nullable(HashText),
  blockTime: Count,
  createdTime: Type.Integer({ minimum: 0, description: 'when it was found' }),
  winner: nullable(Type.String({ description: 'the sender of the first chain transaction, whatever was decided; null in an empty block' })),
  points: Type.Integer({ description: 'what was paid: 77777 or 0' }),
  decision: Type.Enum(['PAID', 'WAITING', 'REFUSED', 'REORGED']),
  reason: Type.String({ description: 'empty when it was paid' }),
});
export type LuckyBlock = Static<typeof LuckyBlock>;

export const LuckyBlockRules = Type.Object({
  prefixes: Type.Array(Type.String()),
  points: Type.Integer(),
  winnersPerDay: Type.Integer({ description: 'at most this number of rewards is given for the lucky blocks of one UTC day' }),
  isPaused: Type.Boolean({ description: 'nothing is paid until an operator has looked at more lucky blocks than chance explains' }),
  announcedAt: Type.String({ description: 'in words' }),
  nextAnnouncementAt: Millis,
  excluded: Type.Array(AddressText, { description: 'addresses of the exchange itself, which never win' }),
  disclosure: Type.String({ description: 'what one should know who takes part' }),
});
export type LuckyBlockRules = Static<typeof LuckyBlockRules>;

export const luckyBlockRoutes = routes({
  luckyBlocks: {
    method: 'POST',
    path: '/biz/task/luckyBlock/list',
    access: 'public',
    rate: 'public',
    summary: 'Every lucky block and what was decided about it, newest first.',
    body: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(LuckyBlock),
  },
  ownLuckyBlocks: {
    method: 'POST',
    path: '/biz/task/luckyBlock/detailByPage',
    access: 'session',
    rate: 'read',
    summary: 'The lucky blocks whose first chain transaction is yours, newest first.',
    body: strict({ walletAddress: AddressText, page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(LuckyBlock),
  },
  luckyBlockRules: {
    method: 'GET',
    path: '/biz/task/luckyBlock/rules',
    access: 'public',
    rate: 'public',
    summary: 'The rule of the lucky blocks, the addresses that never win, and when winners are announced.',
    response: LuckyBlockRules,
  },
});
