/** Things named inside other things: an event's venue and organizers, by number or by their data. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { ApiError, invalidParam } from '@sevenfold/chassis/errors';

/** Events, venues and organizers share their ids: an id names one thing. */
export async function nextId(tx: Db): Promise<number> {
  const row = await tx.first<{ id: number }>(`select nextval('object_ids') as id`);
  return (row as { id: number }).id;
}

/** Runs checks of inner data; their faults become one fault of the argument that holds the data. */
export function explain<T>(param: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { params } = error.data as { params?: Record<string, string> | string[] };
    const faults = Array.isArray(params)
      ? `${params.join(', ')} must be given.`
      : Object.values(params ?? {}).join(' ');
    throw invalidParam(param, `${param}: ${faults || error.message}`);
  }
}

export type LinkRef = { readonly id: number } | { readonly data: Record<string, unknown> };

const MOST_LINKS = 100;

/**
 * What a `venue` or `organizer` argument names: a number (or several, separated by commas), `{id}`, an object with
 * data, or a list of these. `''`, `[]`, null, false and 0 name nothing. Undefined when it is none of that.
 */
export function linkRefs(value: unknown): LinkRef[] | undefined {
  if (value === null || value === false || value === '' || value === 0 || value === '0') return [];
  if (typeof value === 'string') return everyRef(value.split(',', MOST_LINKS + 1).map((part) => part.trim()));
  return everyRef(Array.isArray(value) ? value : [value]);
}

function everyRef(values: readonly unknown[]): LinkRef[] | undefined {
  if (values.length > MOST_LINKS) return undefined;
  const refs = values.map(refOf);
  return refs.every((ref) => ref !== undefined) ? refs : undefined;
}

function refOf(value: unknown): LinkRef | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? { id: value } : undefined;
  if (typeof value === 'string') return /^0*[1-9]\d{0,14}$/.test(value) ? { id: Number(value) } : undefined;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  const { id } = value as { id?: unknown };
  return id === undefined || id === '' ? { data: value as Record<string, unknown> } : refOf(id);
}
