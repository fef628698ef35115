/** What a statement does, in a few words, for traces: the first operation and its table, never a value. */
import type { SpanRow } from '../tracing/spans';

const MOST_KNOWN = 500;
const known = new Map<string, SpanRow>();

export function spanOf(text: string): SpanRow {
  let row = known.get(text);
  if (!row) {
    row = rowOf(text);
    // Texts with conditions that clients choose have no end.
    if (known.size < MOST_KNOWN) known.set(text, row);
  }
  return row;
}

const WRITES = /\b(insert\s+into|update|delete\s+from|merge\s+into)\s+(?:only\s+)?"?([a-z_][\w.]*)/i;
/** A table, not a function whose rows are read. */
const READS = /\bfrom\s+(?:only\s+)?"?([a-z_][\w.]*)\b(?!\s*\()/i;

function rowOf(text: string): SpanRow {
  const [, write = '', written] = WRITES.exec(withoutLocks(text)) ?? [];
  const [, read] = READS.exec(text) ?? [];
  const operation = (write || (/^\s*(\w+)/.exec(text)?.[1] ?? 'query')).split(/\s/)[0] as string;
  const name = operation.toUpperCase() === 'WITH' ? 'SELECT' : operation.toUpperCase();
  const table = write === '' ? read : written;
  return {
    kind: 'client',
    name: table === undefined ? name : `${name} ${table}`,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': name,
      ...(table !== undefined && { 'db.collection.name': table }),
    },
  };
}

const withoutLocks = (text: string): string => text.replace(/\bfor\s+(?:no\s+key\s+)?update\b/gi, '');
