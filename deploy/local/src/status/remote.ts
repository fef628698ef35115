/** The state of a site as far as it can be asked from outside: whether it is ready, and which namespaces answer. */
import { trimEnd } from '@sevenfold/text/trim';
import { type StatusRow, fault, statusRow } from './rows';

const ANSWER_WITHIN_MS = 10_000;

interface Index {
  readonly namespaces: readonly string[];
  readonly routes: Readonly<Record<string, { readonly namespace: string }>>;
}

export async function remoteStatus(url: string): Promise<StatusRow[]> {
  const base = trimEnd(url, '/');
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

async function ask(url: string, method = 'GET'): Promise<{ answer: Response; ms: number }> {
  const begun = performance.now();
  const answer = await fetch(url, { method, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
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

/** A variable in the pattern of a route, which may have brackets of its own. */
const VARIABLE = /\(\?P<\w+>(?:[^()]|\([^()]*\))*\)/g;

/** Indexes are the gateway's own, and reads may come from its cache: what a route takes is always asked of the service. */
async function namespace(base: string, { routes }: Index, name: string): Promise<StatusRow> {
  const route = Object.keys(routes).find(
    (pattern) => routes[pattern]?.namespace === name && pattern !== `/${name}`,
  );
  const path = `/rest${(route ?? `/${name}`).replace(VARIABLE, '0')}`;
  try {
    const { answer, ms } = await ask(`${base}${path}`, 'OPTIONS');
    await answer.body?.cancel();
    const ok = answer.status < 500;
    const state = ok ? 'answers' : answer.status === 503 ? 'away' : 'fails';
    return statusRow({ part: 'namespace', name, state, ok, detail: `${answer.status} of ${path}, ${ms} ms` });
  } catch (error) {
    return fault('namespace', name, error);
  }
}
