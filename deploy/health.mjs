// The health check of the image: whether the exchange takes calls, or with `/livez` as its argument whether the process lives, by the port that no proxy shows and that
// answers under any host's name.
const [path = '/readyz'] = process.argv.slice(2);
const answer = await fetch(`http://127.0.0.1:${process.env.ORRERY_METRICS_PORT}${path}`, { signal: AbortSignal.timeout(4_000) });
process.exitCode = answer.status === 200 ? 0 : 1;
