/** Files that people have, and addresses of calendars, as the batches of an import. */
import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { readConfig } from '@sevenfold/chassis/config';
import { withSpool } from '@sevenfold/chassis/files/spool';
import { variables } from '@sevenfold/content/config';
import { fetchPublic } from '@sevenfold/content/media/fetch-public';
import { decodeLeniently } from '@sevenfold/content/site-import/read-text';
import type { BatchBody } from '../push';
import { readCalendar } from './calendar';
import type { Found, FoundEvent, Wanted } from './found';
import { readTable } from './table';

const MOST_BYTES = 64 * 1024 * 1024;
const FETCH_MS = 60_000;
const EVENTS_IN_A_BATCH = 50;

export const isAddress = (name: string): boolean => /^(?:https?|webcal):\/\//i.test(name);

export type SourceKind = 'ics' | 'csv';

/** Undefined for what holds batches already. */
export function kindOf(name: string): SourceKind | undefined {
  const path = isAddress(name) && URL.canParse(name) ? new URL(name).pathname : name;
  if (/\.csv$/i.test(path)) return 'csv';
  return isAddress(name) || /\.(?:ics|ical|icalendar)$/i.test(path) ? 'ics' : undefined;
}

/** Throws with the name of what cannot be read at all. */
export async function readSource(name: string, kind: SourceKind, wanted: Wanted): Promise<Found> {
  const text = decoded(await (isAddress(name) ? fetched(name) : bytesOf(name)), kind);
  try {
    return kind === 'csv' ? readTable(text, wanted) : readCalendar(text, wanted);
  } catch (error) {
    throw new Error(`${name} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
}

async function bytesOf(file: string): Promise<Buffer> {
  if ((await stat(file)).size > MOST_BYTES) throw new Error(`${file} is larger than ${MOST_BYTES} bytes.`);
  return readFile(file);
}

/** Somebody else chose where it leads: nothing of our own network is asked. */
function fetched(address: string): Promise<Buffer> {
  const { OUTBOUND_ALLOW_PRIVATE: allowPrivate } = readConfig(
    { OUTBOUND_ALLOW_PRIVATE: variables.OUTBOUND_ALLOW_PRIVATE },
    process.env,
  );
  const url = address.replace(/^webcal:/i, 'https:');
  const accept = 'text/calendar, text/csv, */*;q=0.5';
  return withSpool(async (folder) => {
    const { file } = await fetchPublic(url, folder, {
      allowPrivate,
      accept,
      limitBytes: MOST_BYTES,
      timeoutMs: FETCH_MS,
    });
    return readFile(file);
  });
}

/** In the encoding that its first bytes tell; what of it is no UTF-8 is what old programs write. */
function decoded(bytes: Buffer, kind: SourceKind): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return decodeLeniently(kind === 'ics' ? joined(bytes) : bytes).replace(/^\ufeff/, '');
}

/**
 * Simple programs fold lines in the middle of a character (RFC 5545, 3.1). All of it goes before the fold, so that lines keep
 * their numbers.
 */
function joined(bytes: Buffer): Buffer {
  if (isUtf8(bytes)) return bytes;
  const split = /([\xc2-\xf4][\x80-\xbf]{0,2})((?:\r\n|\n|\r)[\t ])([\x80-\xbf]{1,3})/g;
  const text = bytes.toString('latin1').replace(split, (all, begin: string, fold: string, rest: string) => {
    const whole = Buffer.from(begin + rest, 'latin1');
    return isUtf8(whole) ? begin + rest + fold : all;
  });
  return Buffer.from(text, 'latin1');
}

/** As an import service would report them. */
export function batchesOf(events: readonly FoundEvent[]): BatchBody[] {
  const total = Math.ceil(events.length / EVENTS_IN_A_BATCH);
  return Array.from({ length: total }, (_, index) => {
    const part = events.slice(index * EVENTS_IN_A_BATCH, (index + 1) * EVENTS_IN_A_BATCH);
    const done = index * EVENTS_IN_A_BATCH + part.length;
    return {
      status: { data: { total: events.length, done }, batch: { total, done: index } },
      percentage_complete: Math.floor((100 * done) / events.length),
      events: part,
    };
  });
}
