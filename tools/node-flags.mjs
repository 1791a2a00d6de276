/**
 * How Node runs the exchange. An order allocates some 20 KB of garbage in HTTP, signature, book and answer: a larger young generation is
 * scavenged less often. One thread scavenges it, because helper threads would take processors from the other threads and processes
 * (docs/benchmarks/history.md, HTTP).
 */
export const NODE_FLAGS = ['--max-semi-space-size=128', '--no-parallel-scavenge'];
