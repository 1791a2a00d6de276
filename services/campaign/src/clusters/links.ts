/** What joins accounts beside their trading: money, invitations, devices, and networks where something else points the same way. */
import type { AccountId } from '@orrery/units';
import type { Trace } from '../ports.ts';
import { Groups } from './groups.ts';

export interface Relations {
  /** An address that the account's money came from or went to; its own address among them. */
  readonly funding: readonly { readonly account: AccountId; readonly address: string }[];
  readonly invites: readonly { readonly account: AccountId; readonly inviter: AccountId }[];
  /** Each of these are separate people, as operators have found: nothing joins them to one another. */
  readonly apart: readonly (readonly AccountId[])[];
  readonly traces: readonly Trace[];
  /** Who leads the fund of an account decides what it trades. */
  readonly funds: readonly { readonly account: AccountId; readonly leader: AccountId }[];
}

/** An address that pays many who have nothing else in common, such as the hot wallet of another exchange: it joins no accounts. */
export interface CommonFunder {
  readonly address: string;
  /** Paid by it, or paying to it. */
  readonly accounts: number;
}

export type Edge = readonly [AccountId, AccountId];

/** In a larger tree people do not know each other: it joins only whom something else joins too. */
const TREE_MAX = 20;
/** An address that links this many otherwise separate groups is not a purse. */
const FUNDED_GROUPS_MAX = 20;
/** A network of more accounts is a provider's, and says nothing. */
const NETWORK_MAX = 50;

/** Who was found to be separate people. */
export class Apart {
  readonly #setsOf = new Map<AccountId, Set<number>>();

  constructor(sets: Relations['apart']) {
    for (const [index, accounts] of sets.entries())
      for (const account of accounts) this.#setsOf.set(account, (this.#setsOf.get(account) ?? new Set()).add(index));
  }

  without(edges: readonly Edge[]): readonly Edge[] {
    return edges.filter(([one, other]) => {
      const others = this.#setsOf.get(other);
      return others === undefined || ![...(this.#setsOf.get(one) ?? [])].some((set) => others.has(set));
    });
  }
}

/** All links found by relations, by account; `isPerson` leaves out the exchange's own accounts. */
export class Links {
  readonly invites: readonly Edge[];
  readonly devices: readonly Edge[];
  /** Of each fund and its leader. */
  readonly funds: readonly Edge[];
  /** Of one large invite tree and one network. */
  readonly networks: readonly Edge[];
  readonly #trees = new Groups();
  readonly #funding: ReadonlyMap<string, readonly AccountId[]>;
  readonly #networks: ReadonlyMap<string, readonly AccountId[]>;
  readonly #networksOf = new Map<AccountId, Set<string>>();

  constructor({ funding, invites, traces, funds }: Relations, isPerson: (account: AccountId) => boolean) {
    const tracesOf = (kind: Trace['kind']) =>
      byMark(traces.filter((trace) => trace.kind === kind && isPerson(trace.account)).map(({ account, mark }) => ({ account, mark })));
    this.#funding = byMark(funding.filter(({ account }) => isPerson(account)).map(({ account, address }) => ({ account, mark: address })));
    this.#networks = tracesOf('NETWORK');
    for (const [mark, accounts] of this.#networks) {
      if (accounts.length > NETWORK_MAX) continue;
      for (const account of accounts) this.#networksOf.set(account, (this.#networksOf.get(account) ?? new Set()).add(mark));
    }
    for (const { account, inviter } of invites) this.#trees.join(account, inviter);
    const trees = this.#trees.all();
    this.invites = trees.filter((tree) => tree.length <= TREE_MAX).flatMap((tree) => chained(tree.filter(isPerson)));
    this.devices = [...tracesOf('DEVICE').values()].flatMap(chained);
    this.funds = funds
      .filter(({ account, leader }) => isPerson(account) && isPerson(leader))
      .map(({ account, leader }) => [account, leader]);
    const large = new Set(trees.filter((tree) => tree.length > TREE_MAX).flatMap((tree) => tree.slice(0, 1)));
    this.networks = [...this.#networks.values()]
      .filter((accounts) => accounts.length <= NETWORK_MAX)
      .flatMap((accounts) =>
        [...Map.groupBy(accounts, (account) => this.#trees.rootOf(account))].flatMap(([root, own]) =>
          large.has(root) ? chained(own) : [],
        ),
      );
  }

  isOneTree(one: AccountId, other: AccountId): boolean {
    return this.#trees.isTogether(one, other);
  }

  isOneNetwork(one: AccountId, other: AccountId): boolean {
    const others = this.#networksOf.get(other);
    return others !== undefined && [...(this.#networksOf.get(one) ?? [])].some((mark) => others.has(mark));
  }

  /** @param related who is joined by everything else; it is left as it is. */
  funding(related: Groups): { readonly edges: readonly Edge[]; readonly common: readonly CommonFunder[] } {
    const edges: Edge[] = [];
    const common: CommonFunder[] = [];
    for (const [address, accounts] of this.#funding) {
      if (accounts.length > FUNDED_GROUPS_MAX && this.#groupsAmong(accounts, related) > FUNDED_GROUPS_MAX)
        common.push({ address, accounts: accounts.length });
      else edges.push(...chained(accounts));
    }
    return { edges, common };
  }

  /** How many there are of these, when those who are related or share a network are taken for one. */
  #groupsAmong(accounts: readonly AccountId[], related: Groups): number {
    const roots = accounts.map((account) => related.rootOf(account));
    const groups = new Groups();
    const asked = new Set(accounts);
    for (const own of this.#networks.values())
      for (const [one, other] of chained(own.filter((account) => asked.has(account))))
        groups.join(related.rootOf(one), related.rootOf(other));
    return new Set(roots.map((root) => groups.rootOf(root))).size;
  }
}

/** Each account once, by what it shares with the others. */
function byMark(all: readonly { readonly account: AccountId; readonly mark: string }[]): ReadonlyMap<string, readonly AccountId[]> {
  const found = new Map<string, Set<AccountId>>();
  for (const { account, mark } of all) found.set(mark, (found.get(mark) ?? new Set()).add(account));
  return new Map([...found].map(([mark, accounts]) => [mark, [...accounts]]));
}

/** Each with the one before it. */
function chained(members: readonly AccountId[]): readonly Edge[] {
  return members.flatMap((member, index) => {
    const before = members[index - 1];
    return before === undefined ? [] : [[before, member] as const];
  });
}
