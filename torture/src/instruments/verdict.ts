/** Gathers what did not hold, in sentences. */
export class Verdict {
  readonly violations: string[] = [];
  readonly #say: (sentence: string) => void;

  /** @param say receives each violation at once: a large dose takes long. */
  constructor(say: (sentence: string) => void) {
    this.#say = say;
  }

  add(sentences: readonly string[]): void {
    for (const sentence of sentences) this.#say(sentence);
    this.violations.push(...sentences);
  }

  /** @param sentence says what is wrong when `isSo` is false. */
  check(isSo: boolean, sentence: string): void {
    if (!isSo) this.add([sentence]);
  }

  same(what: string, found: unknown, wanted: unknown): void {
    const [left, right] = [print(found), print(wanted)];
    this.check(left === right, `${what}: ${left} in place of ${right}`);
  }

  /** What throws did not hold either; the experiment goes on. */
  async attempt(what: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.add([`${what}: ${error instanceof Error ? error.message : String(error)}`]);
    }
  }
}

const print = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? 'nothing';
