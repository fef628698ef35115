/** The state of a site as far as it can be asked from outside: whether it is ready, and which namespaces answer. */
import { type StatusRow, fault, statusRow } from './rows';

const ANSWER_WITHIN_MS = 10_000;

interface Index {
  readonly namespaces: readonly string[];
  readonly routes: Readonly<
    Record<string, { readonly namespace: string; readonly methods: readonly string[] }>
  >;
}

export async function remoteStatus(url: string): Promise<StatusRow[]> {
  const base = url.replace(/\/+$/, '');
  const gateway = await readiness(base);
  try {
    const { answer } = await ask(`${base}/rest/`);
    const index = (await answer.json()) as Index;
    const namespaces = await Promise.all(index.namespaces.map((name) => namespace(base, index, name)));
    return [gateway, ...namespaces];
  } catch (error) {
    return [gateway, fault('namespace', 'index', error)];
  }
}

async function ask(url: string): Promise<{ answer: Response; ms: number }> {
  const begun = performance.now();
  const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  return { answer, ms: Math.round(performance.now() - begun) };
}

async function readiness(base: string): Promise<StatusRow> {
  try {
    const { answer, ms } = await ask(`${base}/readyz`);
    const text = (await answer.text()).slice(0, 500).trim();
    const detail = answer.ok ? `${ms} ms` : text;
    return statusRow({
      part: 'process',
      name: 'gateway',
      state: answer.ok ? 'ready' : 'not ready',
      ok: answer.ok,
      detail,
    });
  } catch (error) {
    return fault('process', 'gateway', error);
  }
}

/** Indexes are the gateway's own: only a route of the service tells whether that answers. */
async function namespace(base: string, { routes }: Index, name: string): Promise<StatusRow> {
  const route = Object.entries(routes).find(
    ([path, row]) =>
      row.namespace === name && row.methods.includes('GET') && path !== `/${name}` && !path.includes('('),
  )?.[0];
  if (route === undefined)
    return statusRow({
      part: 'namespace',
      name,
      state: 'unknown',
      detail: 'none of its routes can be asked',
    });
  try {
    const { answer, ms } = await ask(`${base}/rest${route}`);
    await answer.body?.cancel();
    const ok = answer.status < 500;
    // What a stranger may not read is answered all the same.
    const state = ok ? 'answers' : answer.status === 503 ? 'away' : 'fails';
    return statusRow({
      part: 'namespace',
      name,
      state,
      ok,
      detail: `${answer.status} of ${route}, ${ms} ms`,
    });
  } catch (error) {
    return fault('namespace', name, error);
  }
}
