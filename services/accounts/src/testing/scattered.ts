/** Two processes on one database that a test takes for one: each of its calls is made at one of them by chance, when that one knows what is committed. */
import type { Chance } from '../../../../core/engine/src/testing/chance.ts';
import type { Accounts } from '../accounts.ts';
import { openProcess, type Town, type TownOptions } from './town.ts';

type Function = (...given: unknown[]) => unknown;

/** Of these a process has its own: what a test begins at one it goes on with there. */
const OF_ONE: ReadonlySet<string | symbol> = new Set(['box', 'keys', 'erasures', 'sweep']);

export async function openScattered(options: TownOptions, chance: Chance): Promise<Town> {
  const here = await openProcess({ ...options, isShared: true });
  const there = await here.beside();
  const towns = [here, there];
  const settled = async (): Promise<void> => void (await Promise.all(towns.map((town) => town.settled())));
  const accounts = new Proxy({} as Accounts, {
    get(_nothing, part) {
      if (OF_ONE.has(part)) return Reflect.get(here.accounts, part);
      // Each process counts the codes that it sees.
      if (part === 'codeAlarm') return { note: () => towns.forEach((town) => town.accounts.codeAlarm.note()) };
      if (part === 'handlers') return handlersOf(towns, { chance, settled });
      return eitherPart(() => Reflect.get(chance.pick(towns).accounts, part) as object, { towns, part, settled });
    },
  });
  return {
    ...here,
    accounts,
    settled,
    async close() {
      await there.close();
      await here.close();
    },
  };
}

interface Scattering {
  readonly chance: Chance;
  readonly settled: () => Promise<void>;
}

/** As the gateway of that process calls it: with whom it knows by the token. */
const handlersOf = (towns: readonly Town[], { chance, settled }: Scattering): object =>
  eachOf((group) =>
    eachOf((name) => async (call: { caller: { bearer?: string } }) => {
      const { authenticator, handlers } = chance.pick(towns).accounts;
      const token = call.caller.bearer ?? '';
      await authenticator.learn({ token });
      const found = authenticator.session(token);
      const handler = Reflect.get(Reflect.get(handlers, group) as object, name) as Function;
      try {
        return await handler({ ...call, principal: typeof found === 'string' ? undefined : found });
      } finally {
        await settled();
      }
    }),
  );

const eachOf = (make: (name: string | symbol) => unknown): object => new Proxy({}, { get: (_nothing, name) => make(name) });

/** What only one of them knows is found where it is known. */
const LOOKED_UP: ReadonlySet<string | symbol> = new Set(['session', 'apiKey']);

interface Part {
  readonly towns: readonly Town[];
  readonly part: string | symbol;
  readonly settled: () => Promise<void>;
}

const eitherPart = (pick: () => object, { towns, part, settled }: Part): object =>
  eachOf((name) => {
    if (LOOKED_UP.has(name) && part === 'authenticator')
      return (credential: string) => {
        const answers = towns.map(({ accounts: { authenticator } }) =>
          (Reflect.get(authenticator, name) as Function).call(authenticator, credential),
        );
        return answers.find((answer) => typeof answer !== 'string') ?? answers.find((answer) => answer === 'AddressBlocked') ?? answers[0];
      };
    const chosen = pick();
    const found: unknown = Reflect.get(chosen, name);
    if (typeof found !== 'function') return found;
    return (...given: unknown[]) => {
      const answer = (found as Function).apply(chosen, given);
      return answer instanceof Promise ? settledAfter(answer, settled) : answer;
    };
  });

async function settledAfter(answer: Promise<unknown>, settled: () => Promise<void>): Promise<unknown> {
  try {
    return await answer;
  } finally {
    await settled();
  }
}
