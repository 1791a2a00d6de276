/** What is measured of a gateway: numbers that others read when they ask, and each answer as it leaves. */
import type { FastifyInstance } from 'fastify';
import { printAtoms, printLots, type Seq } from '@orrery/units';
import type { Floor } from './floor.ts';

/** An amount or a size, as a decimal. */
interface Measured {
  /** A coin, or the symbol of a contract. */
  readonly of: string;
  readonly value: string;
}

export interface GatewayMeasures {
  /** Open streams. */
  readonly connections: number;
  /** The last command that its views have taken in. */
  readonly seq: Seq;
  /** What the insurance fund has, by coin. */
  readonly insurance: readonly Measured[];
  /** By contract, in the units of its size. */
  readonly openInterest: readonly Measured[];
}

export function measuresOf(floor: Floor, connections: number): GatewayMeasures {
  const coins = floor.insurance.assets().flatMap((id) => floor.markets.asset(id) ?? []);
  return {
    connections,
    seq: floor.seq,
    insurance: coins.map(({ asset, code, decimals }) => ({ of: code, value: printAtoms(floor.insurance.get(asset), decimals) })),
    openInterest: floor.contracts.contracts().map(({ contract: { market, symbol, sizePrecision } }) => ({
      of: symbol,
      value: printLots(floor.positions.openInterest(market), sizePrecision),
    })),
  };
}

export interface AnsweredCall {
  readonly method: string;
  /** As the call is mounted; empty of what is no call. */
  readonly path: string;
  readonly status: number;
  /** From the head of the request to the last byte of the answer. */
  readonly ms: number;
}

export function reportAnswers(server: FastifyInstance, onAnswer: (call: AnsweredCall) => void): void {
  server.addHook('onResponse', ({ method, routeOptions: { url = '' } }, { statusCode, elapsedTime }, done) => {
    onAnswer({ method, path: url, status: statusCode, ms: elapsedTime });
    done();
  });
}
