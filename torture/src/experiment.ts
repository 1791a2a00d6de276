/** One fault, done to real processes again and again, and what must hold all the same. */
export interface Experiment {
  /** Such as `E1`. */
  readonly id: string;
  /** The fault. */
  readonly title: string;
  readonly mustHold: string;
  /** It waits for most of its time, and hurries nothing else: at its small dose it runs together with the others of its kind. */
  readonly waits?: true;
  run(context: Context): Promise<Findings>;
}

export interface Context {
  /** `small` is for every change: all small doses together take minutes. `large` is run by hand. */
  readonly dose: Dose;
  /** Decides all that is left to chance. */
  readonly seed: number;
  /** Reports progress to the person who waits. */
  readonly say: (line: string) => void;
}

export type Dose = 'small' | 'large';

export interface Findings {
  /** How often the fault was done. */
  readonly trials: number;
  /** What else is worth telling, by name. */
  readonly facts: Readonly<Record<string, number | string>>;
  /** One sentence for each time something did not hold; none when all is well. */
  readonly violations: readonly string[];
  /** Why the experiment could not be done on this machine. It is then neither passed nor failed. */
  readonly notRun?: string;
}
