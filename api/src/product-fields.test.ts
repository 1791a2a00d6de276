/** Clients of this family of exchanges read these fields; each answer has all of its own, whatever else it has. */
import { expect, test } from 'vitest';
import { contract } from './contract.ts';

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

type Call = keyof typeof contract;

const USER_INFO =
  'username lastAuthTime roles idNoStatus realAuth inviteCode initialAuth authType email tel backReason id realName emailSecurityStatus ' +
  'googleSecurityStatus phoneSecurityStatus telCountryCode securityLevel';

/** `[]`: of each item. */
const FIELDS: readonly (readonly [Call, string, string])[] = [
  ['accountInfo', '', USER_INFO],
  ['inviteUrl', '', 'inviteUrl'],
  ['inviteCount', '', 'count'],
  ['inviteRewards', '', 'items total rewardAmount'],
  ['invitedList', '', 'items total'],
  ['apiKeys', '', 'list total'],
  ['loginRecord', '', 'items page ps total'],
  ['loginRecord', 'items.[]', 'createTime'],
  ['withdrawAddresses', '', 'list total'],
  ['depositAddress', '', 'account coinType memo'],
  ['assistPrices', '[]', 'coin currency price'],
  ['completedTasks', '', 'list total'],
  ['completedTasks', 'list.[]', 'completedAt taskName reward'],
  ['taskStatus', '[]', 'taskCode status'],
  ['luckyBlocks', '', 'list total'],
  ['luckyBlocks', 'list.[]', 'blockId blockHash txHash blockTime createdTime'],
  ['ownLuckyBlocks', 'list.[]', 'blockId blockHash txHash blockTime createdTime'],
  ['faucetStatus', '', 'status'],
];

function shapeAt(shape: Shape | undefined, path: string): Shape | undefined {
  if (shape?.anyOf !== undefined) return shape.anyOf.map((each) => shapeAt(each, path)).find((each) => each?.properties !== undefined);
  const [step = '', ...rest] = path.split('.');
  if (step === '') return shape;
  return shapeAt(step === '[]' ? shape?.items : shape?.properties?.[step], rest.join('.'));
}

test.each(FIELDS)('%s %s has %s', (call, path, fields) => {
  const shape = shapeAt(contract[call].response as Shape, path);
  expect(Object.keys(shape?.properties ?? {})).toEqual(expect.arrayContaining(fields.split(' ')));
});
