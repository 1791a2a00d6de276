/** What the engine refuses, as the answer of a call. */
import { ApiError, type FaultFigures } from '@orrery/api';
import { type Command, type Event, FIATS, type Heart, type Receipt, type RejectFigures } from '@orrery/protocol';
import { assetId, printDecimal } from '@orrery/units';
import type { Coins } from './coins.ts';

/** @throws ApiError with the reason of the engine. */
export async function submitted(heart: Heart, coins: Coins, command: Command): Promise<Receipt> {
  const receipt = await heart.submit(command);
  const rejected = rejectionIn(receipt.events);
  if (rejected === undefined) return receipt;
  const figures = rejected.figures === undefined ? undefined : figuresText(coins, rejected.figures);
  throw new ApiError(rejected.reason, { field: FIELDS[rejected.field] ?? rejected.field, figures });
}

/** The fields of commands that calls name otherwise. */
const FIELDS: Readonly<Record<string, string>> = {
  order: 'orderId',
  advertisement: 'advertisingId',
  clientAdvertisementId: 'clientAdvertisingId',
  payWindowMs: 'payWindowMinutes',
};

const rejectionIn = (events: readonly Event[]) => events.find((event) => event.type === 'CommandRejected');

function figuresText(coins: Coins, { unit, id, asked, limit }: RejectFigures): FaultFigures {
  const { code, decimals } = unitOf(coins, unit, id);
  return { asked: printDecimal(asked, decimals), limit: printDecimal(limit, decimals), unit: code };
}

/** @param id of an asset; of fiat money its place among `FIATS`, from 1 */
function unitOf(coins: Coins, unit: RejectFigures['unit'], id: number): { code: string; decimals: number } {
  const fiat = FIATS[id - 1]?.toUpperCase() ?? '';
  if (unit === 'atoms') return coins.byId(assetId(id));
  if (unit === 'cents') return { code: fiat, decimals: 2 };
  if (unit === 'fiatPrice') return { code: fiat, decimals: 4 };
  return unit === 'millis' ? { code: 's', decimals: 3 } : { code: '', decimals: 0 };
}
