/**
 * How Node runs the exchange. An order makes and forgets some 20 KB on its way through HTTP, signature, book and answer: a young generation
 * that is not full after each few hundred orders is swept less often, and by one thread, because helpers would take the other processors from
 * those who need them (docs/benchmarks/history.md, HTTP).
 */
export const NODE_FLAGS = ['--max-semi-space-size=128', '--no-parallel-scavenge'];
