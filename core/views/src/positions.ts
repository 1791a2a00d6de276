/** The positions of every account, and the terms an account has set for its positions to come. */
import {
  POSITION_SIDES,
  type Event,
  type MarginGroup,
  type MarginMode,
  type Position,
  type PositionMode,
  type PositionSide,
} from '@orrery/protocol';
import { lots, millis, type AccountId, type Lots, type MarketId, type Millis } from '@orrery/units';
import type { Fold } from './fold.ts';

/** One position of an account, open or empty. */
export interface PositionPlace {
  readonly account: AccountId;
  readonly market: MarketId;
  readonly positionSide: PositionSide;
}

export interface FeeTier {
  readonly tier: number;
  readonly rebateTier: number;
}

/** What an account has set; a place that is missing has the contract's own leverage, cross margin and no auto-margin. */
interface Settings {
  readonly leverages: Map<number, number>;
  readonly modes: Map<MarketId, MarginMode>;
  readonly autoMargins: Set<number>;
  readonly positionModes: Record<MarginGroup, PositionMode>;
  feeTier: FeeTier;
  scheduledCancel: Millis;
}

const NO_FEE_TIER: FeeTier = { tier: 0, rebateTier: 0 };
const NO_TIME = millis(0);

export class PositionsView implements Fold {
  readonly #byAccount = new Map<AccountId, Map<number, Position>>();
  readonly #byMarket = new Map<MarketId, Map<number, Position>>();
  /** Lots on the long side. */
  readonly #openInterest = new Map<MarketId, number>();
  readonly #settings = new Map<AccountId, Settings>();

  /** @returns the position that changed, as it is now; a closed one is returned once more, with size 0. */
  apply(event: Event): Position | undefined {
    switch (event.type) {
      case 'PositionChanged':
        return this.#put(event);
      case 'LeverageSet':
        this.#settingsOf(event.account).leverages.set(placeOf(event), event.leverage);
        return undefined;
      case 'MarginModeSet':
        this.#settingsOf(event.account).modes.set(event.market, event.mode);
        return undefined;
      case 'PositionModeSet':
        this.#settingsOf(event.account).positionModes[event.payoff] = event.mode;
        return undefined;
      case 'AutoMarginSet': {
        const { autoMargins } = this.#settingsOf(event.account);
        if (event.value) autoMargins.add(placeOf(event));
        else autoMargins.delete(placeOf(event));
        return undefined;
      }
      case 'FeeTierSet':
        this.#settingsOf(event.account).feeTier = { tier: event.tier, rebateTier: event.rebateTier };
        return undefined;
      case 'CancelScheduled':
        this.#settingsOf(event.account).scheduledCancel = event.at;
        return undefined;
      default:
        return undefined;
    }
  }

  /** Open ones, in order of opening. */
  of(account: AccountId): readonly Position[] {
    return [...(this.#byAccount.get(account)?.values() ?? [])];
  }

  get(place: PositionPlace): Position | undefined {
    return this.#byAccount.get(place.account)?.get(placeOf(place));
  }

  /** Every open position in a contract. */
  inMarket(market: MarketId): Iterable<Position> {
    return this.#byMarket.get(market)?.values() ?? [];
  }

  /** Lots of all long positions, which are as many as those of all short ones. */
  openInterest(market: MarketId): Lots {
    return lots(this.#openInterest.get(market) ?? 0);
  }

  /** Undefined where the account has set none: then the contract's own holds. */
  leverage(place: PositionPlace): number | undefined {
    return this.#settings.get(place.account)?.leverages.get(placeOf(place));
  }

  marginMode({ account, market }: Pick<PositionPlace, 'account' | 'market'>): MarginMode {
    return this.#settings.get(account)?.modes.get(market) ?? 'cross';
  }

  positionMode(account: AccountId, group: MarginGroup): PositionMode {
    return this.#settings.get(account)?.positionModes[group] ?? 'oneWay';
  }

  autoMargin(place: PositionPlace): boolean {
    return this.#settings.get(place.account)?.autoMargins.has(placeOf(place)) ?? false;
  }

  feeTier(account: AccountId): FeeTier {
    return this.#settings.get(account)?.feeTier ?? NO_FEE_TIER;
  }

  /** When all orders of the account in contracts are cancelled; 0 when nothing is scheduled. */
  scheduledCancel(account: AccountId): Millis {
    return this.#settings.get(account)?.scheduledCancel ?? NO_TIME;
  }

  #put(position: Position): Position {
    const { account, market } = position;
    const place = placeOf(position);
    const own = entry(this.#byAccount, account);
    const open = this.#openInterest.get(market) ?? 0;
    const longBefore = Math.max(0, own.get(place)?.size ?? 0);
    this.#openInterest.set(market, open - longBefore + Math.max(0, position.size));
    const all = entry(this.#byMarket, market);
    const key = account * POSITION_SIDES.length + POSITION_SIDES.indexOf(position.positionSide);
    if (position.size === 0) {
      own.delete(place);
      all.delete(key);
    } else {
      own.set(place, position);
      all.set(key, position);
    }
    if (own.size === 0) this.#byAccount.delete(account);
    return position;
  }

  #settingsOf(account: AccountId): Settings {
    const known = this.#settings.get(account);
    if (known !== undefined) return known;
    const fresh: Settings = {
      leverages: new Map(),
      modes: new Map(),
      autoMargins: new Set(),
      positionModes: { linear: 'oneWay', inverse: 'oneWay', practice: 'oneWay' },
      feeTier: NO_FEE_TIER,
      scheduledCancel: NO_TIME,
    };
    this.#settings.set(account, fresh);
    return fresh;
  }
}

/** Of one position among all that an account may have. */
const placeOf = ({ market, positionSide }: Pick<PositionPlace, 'market' | 'positionSide'>): number =>
  market * POSITION_SIDES.length + POSITION_SIDES.indexOf(positionSide);

function entry<Key, Value>(map: Map<Key, Map<number, Value>>, key: Key): Map<number, Value> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const fresh = new Map<number, Value>();
  map.set(key, fresh);
  return fresh;
}
