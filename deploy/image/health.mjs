/** Ends with 0 where the process of this container answers on its own port. */
const { HTTP_PORT = '8080' } = process.env;
const answer = await fetch(`http://127.0.0.1:${HTTP_PORT}/healthz`, { signal: AbortSignal.timeout(2_000) });
process.exitCode = answer.ok ? 0 : 1;
