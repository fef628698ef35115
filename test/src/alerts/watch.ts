/**
 * Looks at all processes as Prometheus does, only faster: every look counts as half a minute later than the one before, so
 * that rules which ask for minutes are tried in seconds. What was seen is handed to Prometheus' own engine.
 */
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the chart's monitors do. */
const LOOK_COUNTS_AS_MS = 30_000;
const PAUSE_MS = 500;
const SCRAPE_MS = 2_000;

interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: [at: number, value: number][];
}

interface Told {
  readonly alerts: readonly string[];
  readonly fired: readonly { readonly alert: string }[];
}

export interface Watch {
  /** How many looks there were. */
  readonly looks: number;
  stop(): Promise<void>;
  /** Names of all metrics that there were. */
  names(): string[];
  /** Names of the alerts that fired, sorted. */
  fired(rules: string): Promise<string[]>;
}

/** `pages` are the addresses of metrics by the name of their process. */
export function startWatch(pages: Readonly<Record<string, string>>): Watch {
  const series = new Map<string, Series>();
  const times: number[] = [];
  let stopped = false;

  const take = (component: string, at: number, page: string): void => {
    for (const [, name, given = '', value] of page.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)) {
      const number = Number(value === '+Inf' ? Infinity : value);
      if (Number.isNaN(number)) continue;
      const key = `${component} ${name} ${given}`;
      let one = series.get(key);
      if (!one) series.set(key, (one = { labels: labelsOf(component, name as string, given), samples: [] }));
      one.samples.push([at, number]);
    }
  };
  const loop = (async () => {
    while (!stopped) {
      const at = (times.at(-1) ?? 1_700_000_000_000) + LOOK_COUNTS_AS_MS;
      await Promise.all(
        Object.entries(pages).map(async ([component, address]) => {
          const page = await pageOf(address);
          if (page !== undefined) take(component, at, page);
        }),
      );
      times.push(at);
      await sleep(PAUSE_MS);
    }
  })();
  return {
    get looks() {
      return times.length;
    },
    stop: () => {
      stopped = true;
      return loop;
    },
    names: () => [...series.values()].map(({ labels }) => labels.__name__ as string),
    fired: async (rules) => {
      const told = await evaluate(JSON.stringify({ rules, times, series: [...series.values()] }));
      return [...new Set(told.fired.map(({ alert }) => alert))].sort();
    },
  };
}

/** A process that is away has no page, as for Prometheus. */
export async function pageOf(address: string): Promise<string | undefined> {
  try {
    return await (await fetch(address, { signal: AbortSignal.timeout(SCRAPE_MS) })).text();
  } catch {
    return undefined;
  }
}

function labelsOf(component: string, name: string, given: string): Record<string, string> {
  const own = Array.from(
    given.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g),
    ([, label, value]): readonly [string, string] => [label as string, value as string],
  );
  return {
    __name__: name,
    ...Object.fromEntries(own),
    namespace: 'tried',
    instance: component,
    app_kubernetes_io_component: component,
  };
}

function evaluate(input: string): Promise<Told> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.env.ALERTS_EVALUATE as string,
      { maxBuffer: 64 * 1024 * 1024, timeout: 120_000 },
      (error, stdout, stderr) =>
        error ? reject(new Error(stderr || error.message)) : resolve(JSON.parse(stdout) as Told),
    );
    child.stdin?.end(input);
  });
}

/** Names of all alerts; throws where the file is none of rules that Prometheus takes. */
export const alertsOf = async (rules: string): Promise<readonly string[]> =>
  (await evaluate(JSON.stringify({ rules, times: [], series: [] }))).alerts;
