/**
 * The versions of the rules. A journal names the one it was written under (`UpgradeRules`), so that it replays by it; every version ever used stays here.
 *
 * 1: price bands follow the last price for a minute, then the index. A command triggers every stop that its trades reach.
 * 2: price bands follow the last price no further than a band from a fresh index, and without one a slow average. A command triggers a bounded number
 *    of stops, and a later command continues.
 * 4: withdrawals are held within the caps of their asset; transfers and withdrawals need accepted terms, as orders do; fees and order limits of
 *    a listed market can change.
 * 5: perpetual contracts, their wallets, and the insurance budget.
 * 6: a loss of a cross position is paid by what other positions of its account have gained, before anybody else pays; it takes the collateral of the
 *    account also when the insurance fund has no money to buy it. An order does not trade an isolated
 *    position below nothing. An order needs what it would lose against the mark at its limit, and a resting one that its account cannot bear when it would
 *    trade closes. A deleveraging begins with the greatest loss, and of
 *    both sides of hedge mode closes only what is left of one. The premium of a funding interval that was missed ends with it. A repeated order of
 *    a contract has the same take-profit and stop-loss. An insurance fund that is funded again first pays what it could not
 *    pay before. The running hash covers settings, prices and timers of contracts.
 *    A withdrawal to another account moves the money at once.
 * 7: contracts that cannot be drained, and commands that stay short. Each change is named where `rules >= 7` is asked.
 *    A fill that grows the position of a resting order needs the initial margin at any price, like an order, or the order closes before it. What an order
 *    opens when it turns a position round counts at the prices of its last fills. The orders of one
 *    command meet a bounded number of resting orders; what is left of one goes on by later commands, and nothing else acts in its market before.
 *    A settlement of funding pays nobody: each position pays when it is touched, or when the sweep reaches it.
 *    What a bankrupt account is missing the fund pays within a cap, then the gains on the other side, and its positions are closed at mark. The liquidator sells in slices near the
 *    mark, and deleverages the rest. A missing price counts at its best, and does not keep an account from being liquidated in what has one. In a halted contract nobody is
 *    taken over. An account that is being liquidated opens nothing in any contract of the same money.
 *    Practice contracts are settled in an asset of their own, which is granted, and leaves them by no door.
 *    A contract is open only while it may liquidate: until then both sides of a trade only reduce, and no money leaves who holds a position in it. Samples that say nothing are
 *    dropped, and two that are apart are not believed. Collateral has a price of its own, with an age. A leverage is refused for what it changes alone. A TWAP order makes up one
 *    slice at most.
 * 8: orders that keep their protection. Each change is named where `rules >= 8` is asked.
 *    What waits to reduce a position ends with the position, by its owner, or filled: not by a close-all, a step of a liquidation, or its age. Reached and not filled it waits on, and
 *    rounds of prices try it again. One of a pair loses what the other trades. A pair is set by one command.
 *    Spot markets have take-profits, trailing stops, pairs, and orders that protect what they buy.
 *    The size of an order may be an intent: the most up to a bound, or a position turned round. What closes a whole position is no larger than one order may be.
 * 9: the OTC desk. A stop of a spot market that sells waits on when it cannot act, or only in part.
 *    Quanto funds. A slice of the liquidator costs no more than may still be lost of its contract.
 * 10: withdrawals of an account are held within the quota that stands in their command.
 *
 * There is no version 3 and will be no version 255: golden histories ask for them and were refused, and must replay so.
 */
export const RULES_VERSIONS = [1, 2, 4, 5, 6, 7, 8, 9, 10] as const;
export type RulesVersion = (typeof RULES_VERSIONS)[number];

/** A history begins under these. */
export const FIRST_RULES: RulesVersion = 1;
export const LATEST_RULES: RulesVersion = 10;

/** The version of this number, or undefined when it is not known here. */
export const rulesVersion = (version: number): RulesVersion | undefined => RULES_VERSIONS.find((known) => known === version);

const NEVER = 255;

/** Whether a later version of the program may know rules of this number, and this one does not. */
export const areLaterRules = (version: number): boolean => version > LATEST_RULES && version !== NEVER;
