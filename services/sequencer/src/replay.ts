/** Turns history back into state, and checks on the way that it is the state that the journal proves. */
import type { Engine } from '@orrery/engine';
import type { Applied, Event, Sequenced } from '@orrery/protocol';
import { areLaterRules, LATEST_RULES } from '@orrery/rules';
import { ReplayDiffers } from './damage.ts';
import { sameBytes, stateHash } from './engine-factory.ts';
import type { EngineFactory } from './engine-factory.ts';
import type { RunningHash, StateHash } from './entry.ts';
import type { Located } from './journal-walk.ts';
import type { Restored } from './snapshot.ts';

/**
 * A version that does not know the rules to which history was switched would apply what follows by older ones, and lead it elsewhere.
 * @throws ReplayDiffers
 */
function checkRulesKnown({ seq, command }: Sequenced): void {
  if (command.type !== 'UpgradeRules' || !areLaterRules(command.version)) return;
  throw new ReplayDiffers(
    `command ${seq} switches to rules ${command.version}, and this version of the program knows ${LATEST_RULES} at most: a later one wrote it`,
  );
}

/** The answer to a command whose applying threw. */
export const POISONED: readonly Event[] = [{ type: 'CommandRejected', reason: 'InternalReject', field: '' }];

export class Replay {
  readonly engine: Engine;
  #seq: number;
  #at: number;
  #hash: { readonly seq: number; readonly hash: Uint8Array } | undefined;
  /** The command in the state that the replay began with. */
  readonly #from: number;
  /** The engine applied every command since the last running hash. */
  #isRunningWhole: boolean;
  #checkedHashes = 0;
  #skippedHashes = 0;

  constructor(engines: EngineFactory, from: Restored | undefined) {
    this.engine = from?.engine ?? engines.createEngine();
    this.#seq = from?.seq ?? 0;
    this.#at = from?.at ?? 0;
    this.#hash = from;
    this.#from = this.#seq;
    this.#isRunningWhole = from === undefined;
  }

  /** The last command that is in the state. */
  get seq(): number {
    return this.#seq;
  }

  get at(): number {
    return this.#at;
  }

  /** The last state hash that was checked. */
  get hash(): { readonly seq: number; readonly hash: Uint8Array } | undefined {
    return this.#hash;
  }

  /** Whether the engine's next running hash covers every command since the last one in the journal. */
  get isRunningWhole(): boolean {
    return this.#isRunningWhole;
  }

  /** Hashes of the journal that were compared, and that could not be computed here. */
  get hashes(): { readonly checked: number; readonly skipped: number } {
    return { checked: this.#checkedHashes, skipped: this.#skippedHashes };
  }

  /** Takes one entry; what came of it, unless it was no command or is in the state already. */
  take({ entry, file, offset }: Located): Applied | undefined {
    if (entry.kind === 'stateHash') {
      if (this.#hash?.seq !== this.#seq) this.#check(entry, `${file} at offset ${offset}`);
      return undefined;
    }
    if (entry.kind === 'runningHash') {
      this.#checkRunning(entry, `${file} at offset ${offset}`);
      return undefined;
    }
    const { sequenced } = entry;
    if (sequenced.seq <= this.#seq) return undefined;
    checkRulesKnown(sequenced);
    const events = entry.kind === 'poisoned' ? POISONED : this.#apply(sequenced, `${file} at offset ${offset}`);
    this.#seq = sequenced.seq;
    this.#at = sequenced.at;
    return { ...sequenced, events };
  }

  #apply(sequenced: Sequenced, where: string): readonly Event[] {
    try {
      return this.engine.apply(sequenced);
    } catch (cause) {
      throw new ReplayDiffers(`command ${sequenced.seq} in ${where} had been applied, and can not be applied now: ${String(cause)}`, {
        cause,
      });
    }
  }

  /** One covers the commands since the one before it: a replay that began between the two has nothing to compare. */
  #checkRunning({ isWhole, hash }: RunningHash, where: string): void {
    // After a snapshot the entries of its frame come along: these commands are in the state already.
    if (this.#seq === this.#from) return;
    const own = this.engine.takeRunningHash();
    if (isWhole && this.#isRunningWhole) {
      if (!sameBytes(own, hash))
        throw new ReplayDiffers(`replay changed other balances than the journal proves up to command ${this.#seq} (${where})`);
      this.#checkedHashes += 1;
    }
    this.#isRunningWhole = true;
  }

  /** A hash of a layout in which this state cannot be written any more proves nothing here: it is counted. */
  #check({ layout, hash: expected }: StateHash, where: string): void {
    if (!this.engine.stateLayouts().includes(layout)) {
      this.#skippedHashes += 1;
      return;
    }
    const hash = stateHash(this.engine.encodeState(layout));
    if (!sameBytes(hash, expected)) {
      throw new ReplayDiffers(`replay reaches another state than the journal proves at command ${this.#seq} (${where})`);
    }
    this.#hash = { seq: this.#seq, hash };
    this.#checkedHashes += 1;
  }
}
