/** Events of a table (CSV, RFC 4180 and what spreadsheets make of it) with a row of names above it. */
import { createHash } from 'node:crypto';
import { CsvError, parse } from 'csv-parse/sync';
import { isZone, parseFreeDate } from '@sevenfold/text/dates';
import type { FreeDate } from '@sevenfold/text/free-date';
import { fieldsOf } from './columns';
import { type Fault, type Found, type FoundEvent, type Wanted, nameFor } from './found';

const SEPARATORS = [',', ';', '\t', '|'];
const MOST_ROW_CHARACTERS = 1_000_000;

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

type Cells = Readonly<Record<string, string>>;

/** What is wrong with a row, in words. */
class Unreadable extends Error {}

/** Throws where the text is no table of events at all. */
export function readTable(text: string, wanted: Wanted): Found {
  const { rows, faults: broken } = rowsOf(text);
  const [header, ...others] = rows;
  if (!header) throw new Error('it is empty');
  const fields = fieldsOf(header.cells);
  const faults: Fault[] = [...broken];
  const leftOut: Fault[] = [];
  const events = new Map<string, FoundEvent & { readonly line: number }>();
  for (const { line, cells } of others) {
    const given: Record<string, string> = {};
    cells.forEach((cell, index) => {
      const field = fields[index];
      if (field !== undefined && cell.trim() !== '') given[field] = cell.trim();
    });
    const title = given.title ?? '';
    try {
      const extra = cells.slice(fields.length).find((cell) => cell.trim() !== '');
      if (extra !== undefined) throw new Unreadable('It has more cells than there are columns.');
      if (given.private !== undefined && flag('private', given.private)) {
        leftOut.push({ line, title, reason: 'It is private.' });
        continue;
      }
      const event = eventOf(given, wanted);
      if (!isWanted(event, wanted)) continue;
      const before = events.get(event.uid);
      if (before) throw new Unreadable(`It is the same as line ${before.line}.`);
      events.set(event.uid, { ...event, line });
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      faults.push({ line, title, reason: error.message });
    }
  }
  return { events: [...events.values()].map(({ line: _, ...event }) => event), faults, leftOut };
}

/** Each costs a look at all that comes after it. */
const MOST_BAD_QUOTES = 1_000;

/** Rows that hold something, each with the line that it begins in. */
function rowsOf(text: string): { readonly rows: readonly Row[]; readonly faults: readonly Fault[] } {
  const rows: Row[] = [];
  const faults: Fault[] = [];
  const delimiter = separatorOf(text);
  /** Lines that are over, of all. */
  let read = 0;
  let place = 0;
  const take = (cells: string[], lines: number): void => {
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ line: read + 1, cells });
    read = lines;
  };
  const fault = (message: string, lines: number): void => {
    faults.push({ line: read + 1, title: '', reason: `The line cannot be read: ${message.slice(0, 200)}` });
    read = lines;
  };
  for (let tries = 1; ; tries++) {
    const before = read;
    const bad = readRows(text.slice(place), delimiter, {
      take: (cells, lines) => take(cells, before + lines),
      fault: ({ message, lines }) => fault(message, before + Number(lines ?? read - before)),
    });
    if (!bad) return { rows, faults };
    place = behindLines(text, place, read - before);
    if (place >= text.length) return { rows, faults };
    if (tries === MOST_BAD_QUOTES) {
      fault('too many before it cannot be read either, and nothing after it is.', read);
      return { rows, faults };
    }
  }
}

interface Taking {
  /** With how many lines are over then. */
  readonly take: (cells: string[], lines: number) => void;
  readonly fault: (error: CsvError) => void;
}

/** True where something stands behind a closing quote: the parser takes all up to the next quote for a part of that, so it is begun anew. */
function readRows(text: string, delimiter: string, { take, fault }: Taking): boolean {
  let isBad = false;
  try {
    parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_records_with_error: true,
      max_record_size: MOST_ROW_CHARACTERS,
      on_skip: (error: CsvError | undefined) => {
        if (!error) return undefined;
        isBad = error.code === 'CSV_INVALID_CLOSING_QUOTE';
        if (isBad) throw error;
        fault(error);
        return undefined;
      },
      on_record: (cells: string[], { lines }) => {
        take(cells, lines);
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // Such as a quote that is never closed: what came before it is good.
    fault(error);
  }
  return isBad;
}

/** The place behind so many ends of lines. */
function behindLines(text: string, place: number, count: number): number {
  const ends = /\r\n|\n|\r/g;
  ends.lastIndex = place;
  for (let n = 0; n < count; n++) if (!ends.exec(text)) return text.length;
  return ends.lastIndex;
}

/** The one that the first line has most of, outside of quotes. */
function separatorOf(text: string): string {
  const [line = ''] = text.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const counts = SEPARATORS.map((one) => line.split(one).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] as string;
}

interface TableEvent extends FoundEvent {
  readonly uid: string;
  readonly start_date: string;
  readonly end_date: string;
}

function eventOf(given: Cells, wanted: Wanted): TableEvent {
  const { title } = given;
  if (title === undefined) throw new Unreadable('It has no title.');
  const when = timesOf(given, wanted);
  const uid = nameFor(
    given.uid ?? given.global_id ?? `${title} ${when.start_date} ${given['venue.venue'] ?? ''}`,
    (text) => createHash('sha256').update(text).digest('hex').slice(0, 40),
  );
  const plain = Object.entries(given).filter(([field]) => PLAIN.has(field));
  const venue = partOf(given, 'venue.');
  const { organizer: names, ...contact } = partOf(given, 'organizer.');
  const organizers = names?.split(',').map((name) => name.trim()) ?? [];
  return {
    ...Object.fromEntries(plain),
    uid,
    global_id: given.global_id ?? uid,
    title,
    ...when,
    ...(Object.keys(venue).length > 0 && { venue }),
    // What is told of one is told of the only one.
    ...(organizers.length > 0 && {
      organizer: organizers.map((organizer) => ({ organizer, ...(organizers.length === 1 && contact) })),
    }),
  };
}

/** Read by the service as they are. */
const PLAIN = new Set(
  'description excerpt url image categories tags cost currency_symbol currency_position show_map show_map_link hide_from_listings sticky featured'.split(
    ' ',
  ),
);

const partOf = (given: Cells, begin: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([field, value]) =>
      field.startsWith(begin) ? [[field.slice(begin.length), value]] : [],
    ),
  );

function timesOf(
  given: Cells,
  { timezone: usual, now }: Wanted,
): { all_day: boolean; start_date: string; end_date: string; timezone?: string } {
  const timezone = given.timezone ?? usual;
  if (timezone !== undefined && !isZone(timezone)) throw new Unreadable('Its time zone is unknown.');
  const zone = timezone ?? 'UTC';
  const read = (what: string, day: string, time: string | undefined): FreeDate => {
    const found = parseFreeDate(`${day} ${time ?? ''}`, zone, now);
    if (!found) throw new Unreadable(`Its ${what} cannot be read as a date and time.`);
    return found;
  };
  const { start_date: day, start_time: time, end_date: lastDay, end_time: lastTime } = given;
  if (day === undefined) throw new Unreadable('It has no start date.');
  const start = read('start', day, time);
  const end =
    lastDay === undefined && lastTime === undefined
      ? start
      : read('end', lastDay ?? start.local.slice(0, 10), lastTime);
  const isDay = given.all_day === undefined ? !start.hadTime && !end.hadTime : flag('all_day', given.all_day);
  const cut = (local: string): string => (isDay ? local.slice(0, 10) : local);
  if (cut(end.local) < cut(start.local)) throw new Unreadable('It ends before it begins.');
  return {
    all_day: isDay,
    start_date: cut(start.local),
    end_date: cut(end.local),
    ...(timezone !== undefined && { timezone }),
  };
}

function flag(field: string, text: string): boolean {
  if (/^(?:1|true|yes|y|on|x)$/i.test(text)) return true;
  if (/^(?:0|false|no|n|off)$/i.test(text)) return false;
  throw new Unreadable(`Its ${field} is neither yes nor no.`);
}

const isWanted = ({ start_date: start, end_date: end }: TableEvent, { from, to }: Wanted): boolean =>
  (from === undefined || end.slice(0, 10) >= from) && (to === undefined || start.slice(0, 10) <= to);
