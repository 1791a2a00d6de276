/** All open connections: how many there may be, and which of them are over. */
import { ApiError, type Principal } from '@orrery/api';
import type { AccountId } from '@orrery/units';
import { isOfHouse } from '../attendance.ts';
import type { Limits } from '../limits/limits.ts';
import type { OpenStreams } from '../peers.ts';
import { CLOSE, type Connection } from './connection.ts';

/** Streams that other processes have open. */
export interface StreamsElsewhere {
  ofNetwork(network: string): number;
  ofAccount(account: AccountId): number;
}

export const NOWHERE_ELSE: StreamsElsewhere = { ofNetwork: () => 0, ofAccount: () => 0 };

export class Connections {
  readonly #open = new Set<Connection>();
  readonly #perNetwork = new Map<string, number>();
  readonly #limits: Limits['stream'];
  readonly #now: () => number;
  readonly #elsewhere: StreamsElsewhere;
  #beatAt: number;

  constructor(limits: Limits['stream'], now: () => number, elsewhere: StreamsElsewhere = NOWHERE_ELSE) {
    this.#limits = limits;
    this.#now = now;
    this.#elsewhere = elsewhere;
    this.#beatAt = now();
  }

  get count(): number {
    return this.#open.size;
  }

  /** Whether anybody is connected but the house. */
  get isWatched(): boolean {
    return [...this.#open].some(({ trader, reader }) => {
      const principal = trader ?? reader;
      return principal === undefined || !isOfHouse(principal);
    });
  }

  /** By network address and by account. */
  open(): OpenStreams {
    const accounts = new Map<AccountId, number>();
    for (const { trader, reader } of this.#open) {
      const found = new Set([trader?.account, reader?.account]);
      for (const account of found) if (account !== undefined) accounts.set(account, (accounts.get(account) ?? 0) + 1);
    }
    return { networks: this.#perNetwork, accounts };
  }

  /** Throws when one more from this network would be too many. */
  checkRoom(network: string): void {
    const { connectionsPerNode, connectionsPerNetwork } = this.#limits;
    const ofNetwork = (this.#perNetwork.get(network) ?? 0) + this.#elsewhere.ofNetwork(network);
    if (this.#open.size >= connectionsPerNode || ofNetwork >= connectionsPerNetwork) throw new ApiError('TooManyConnections');
  }

  /** Throws when the account has as many others as it may have. */
  admit(connection: Connection, account: AccountId): void {
    const others = [...this.#open].filter((other) => other !== connection && isOf(other, account));
    if (others.length + this.#elsewhere.ofAccount(account) >= this.#limits.connectionsPerAccount) throw new ApiError('TooManyConnections');
  }

  add(connection: Connection): void {
    this.#open.add(connection);
    this.#perNetwork.set(connection.network, (this.#perNetwork.get(connection.network) ?? 0) + 1);
  }

  remove(connection: Connection): void {
    this.#open.delete(connection);
    const left = (this.#perNetwork.get(connection.network) ?? 1) - 1;
    if (left === 0) this.#perNetwork.delete(connection.network);
    else this.#perNetwork.set(connection.network, left);
  }

  /**
   * Asks everyone for a sign of life and gives up those who have given none. Not after this process was stopped, or too busy to read: what they sent meanwhile
   * waits to be read.
   */
  heartbeat(): void {
    const { pingMs, deadMs } = this.#limits;
    const now = this.#now();
    const wasAway = now - this.#beatAt > 2 * pingMs;
    this.#beatAt = now;
    for (const connection of this.#open) {
      if (!wasAway && now - connection.heardAt > deadMs) connection.socket.terminate();
      else connection.socket.ping();
    }
  }

  closeWhere(isOver: (principal: Principal) => boolean): void {
    for (const connection of this.#open) {
      const { trader, reader, opening } = connection;
      if ([trader, reader, opening].some((principal) => principal !== undefined && isOver(principal)))
        connection.close(CLOSE.policy, 'the session has ended');
    }
  }

  closeAll(): void {
    for (const connection of this.#open) connection.close(CLOSE.goingAway, 'the server stops');
  }
}

const isOf = ({ trader, reader }: Connection, account: AccountId): boolean => trader?.account === account || reader?.account === account;
