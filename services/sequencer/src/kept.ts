/** Commands that wait behind an unfinished order of a market, and those of the same accounts that came after them: each account sees its commands in its order. */
import type { Engine } from '@orrery/engine';
import type { Command } from '@orrery/protocol';
import type { Waiter } from './group.ts';

export interface Waiting extends Waiter {
  readonly command: Command;
  /** When it came. */
  readonly at: number;
}

export class Kept<Kind extends Pick<Waiting, 'command'> = Waiting> {
  readonly all: Kind[] = [];
  readonly #accounts = new Set<number>();

  /** Whether a command is kept back for a later group. */
  keeps(waiting: Kind, engine: Engine): boolean {
    const { command } = waiting;
    const account = 'account' in command ? command.account : undefined;
    const isBehind = account !== undefined && this.#accounts.has(account);
    if (!isBehind && !engine.mustWait(command)) return false;
    this.all.push(waiting);
    if (account !== undefined) this.#accounts.add(account);
    return true;
  }
}
