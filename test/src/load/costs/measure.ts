/** What one question costs PostgreSQL: the processor time of the processes that serve connections, as the system counts it. */
import { readFileSync } from 'node:fs';
import type { TestStack } from '../../support/stack';
import { familyOf, ticksOf } from '../cpu';

/** The system counts in hundredths of a second. */
const GRAIN_MS = 10;

export interface Cost {
  readonly ms: number;
  readonly status: number;
  /** Rows of the list, where the answer says so. */
  readonly total: number;
}

export async function costOf(stack: TestStack, path: string): Promise<Cost> {
  const before = spentBy(stack);
  const response = await fetch(stack.url + path);
  await response.arrayBuffer();
  const total = Number(response.headers.get('x-total') ?? 0);
  let ms = 0;
  for (const [pid, spent] of spentBy(stack)) ms += (spent - (before.get(pid) ?? 0)) * GRAIN_MS;
  return { ms, status: response.status, total };
}

function spentBy(stack: TestStack): Map<number, number> {
  const server = stack.run().processes.postgres;
  if (server === undefined) throw new Error('the stack has no PostgreSQL of its own');
  return new Map(familyOf([server]).flatMap((pid) => (serves(pid) ? [[pid, ticksOf(pid)]] : [])));
}

/** `postgres: user database host(port) state`; what sweeps and writes in the background serves nobody. */
function serves(pid: number): boolean {
  try {
    return /^postgres: .*\(\d+\)/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}
