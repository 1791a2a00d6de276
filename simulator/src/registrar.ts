/** Stands for the services that open accounts, admit them and bring the outside prices: commands given inside the program, again until done. */
import { parseAtoms, accountId, parseAddress, assert, type AccountId, type Address, type AssetId, type Atoms } from '@orrery/units';
import { ASSETS } from '@orrery/exchange/listing';
import type { Command, Heart, Receipt, Wallet } from '@orrery/protocol';
import type { Timeline } from './timeline.ts';

export interface Newcomer {
  readonly account: AccountId;
  readonly address: Address;
}

export interface RegistrarParts {
  readonly timeline: Timeline;
  /** Undefined while no program runs. */
  readonly heart: () => Heart | undefined;
  /** Called before an amount is credited without a deposit. */
  readonly onGift: (coin: string, amount: Atoms) => void;
}

const RETRY_MS = 1_000;
const PATIENCE_MS = 5_000;

export class Registrar {
  readonly #parts: RegistrarParts;

  constructor(parts: RegistrarParts) {
    this.#parts = parts;
  }

  /** Opens the account of the `index`-th person, who may trade at once. */
  async admit(index: number): Promise<Newcomer> {
    const address = parseAddress(`0x${index.toString(16).padStart(40, '0')}`);
    assert(address !== undefined, 'the address is one');
    const { events } = await this.submit({ type: 'OpenAccount', address });
    const [opened] = events;
    assert(opened?.type === 'AccountOpened', 'the account is open');
    const account = accountId(opened.account);
    for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const)
      await this.submit({ type: 'SetAccountFlag', account, flag, value: true });
    return { account, address };
  }

  /** Puts money into the funding wallet. */
  async credit({ address }: Newcomer, { coin, amount }: { coin: string; amount: string }): Promise<void> {
    const { asset, atoms } = moneyOf(coin, amount);
    this.#parts.onGift(coin, atoms);
    await this.submit({ type: 'CreditDeposit', key: `first:${address}:${coin}`, address, asset, amount: atoms });
  }

  /** Puts money into the spot wallet. */
  async fund(newcomer: Newcomer, money: { coin: string; amount: string }): Promise<void> {
    const { account } = newcomer;
    const { coin } = money;
    const { asset, atoms } = moneyOf(coin, money.amount);
    await this.credit(newcomer, money);
    await this.submit({ type: 'Transfer', account, transferId: `first-${coin}`, asset, amount: atoms, from: 'funding', to: 'spot' });
  }

  /** Moves money from the spot wallet to where the margin of contracts is. */
  async stake({ account }: Newcomer, margin: readonly { coin: string; amount: string; to: Wallet }[]): Promise<void> {
    for (const { coin, amount, to } of margin) {
      const { asset, atoms } = moneyOf(coin, amount);
      await this.submit({ type: 'Transfer', account, transferId: `margin-${coin}`, asset, amount: atoms, from: 'spot', to });
    }
  }

  /** Pays into the insurance fund. */
  async insure({ coin, amount }: { coin: string; amount: string }): Promise<void> {
    const { asset, atoms } = moneyOf(coin, amount);
    this.#parts.onGift(coin, atoms);
    await this.submit({ type: 'FundBudget', budget: 'insurance', asset, amount: atoms, key: `insurance:${coin}` });
  }

  /** Until it is answered: the command must be one that may arrive twice. */
  async submit(command: Command): Promise<Receipt> {
    for (;;) {
      const receipt = await this.offer(command);
      if (receipt !== undefined) return receipt;
      await this.#sleep(RETRY_MS);
    }
  }

  /** One attempt: undefined when it was refused or its outcome is unknown. */
  async offer(command: Command): Promise<Receipt | undefined> {
    const heart = this.#parts.heart();
    if (heart === undefined) return undefined;
    try {
      return await Promise.race([heart.submit(command), this.#sleep(PATIENCE_MS).then(() => undefined)]);
    } catch {
      return undefined;
    }
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.#parts.timeline.after(ms, resolve));
  }
}

function moneyOf(coin: string, amount: string): { asset: AssetId; atoms: Atoms } {
  const asset = ASSETS.find(({ code }) => code === coin);
  assert(asset !== undefined, `${coin} is listed`);
  const atoms = parseAtoms(amount, asset.decimals);
  assert(atoms !== undefined, `${amount} is an amount of ${coin}`);
  return { asset: asset.asset, atoms };
}
