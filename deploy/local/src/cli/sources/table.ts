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
  // Before the names a spreadsheet may be told what separates cells: `sep=;`.
  const [header, ...others] = /^sep=$/i.test(rows[0]?.cells[0] ?? '') ? rows.slice(1) : rows;
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

/**
 * Rows that hold something, each with the line that it begins in. The parser goes on inside of quotes after a fault of them, and
 * would lose what follows: it begins anew behind the line of the fault, so that a row costs no more than itself.
 */
function rowsOf(text: string): { readonly rows: readonly Row[]; readonly faults: readonly Fault[] } {
  const bytes = Buffer.from(text);
  const { separator, lineEnd } = formOf(text);
  const rows: Row[] = [];
  const faults: Fault[] = [];
  // Where the row that is read now begins.
  let [at, line] = [0, 1];
  const goTo = (end: number): void => {
    line += linesIn(bytes.subarray(at, end));
    at = end;
  };
  while (at < bytes.length) {
    const from = at;
    let parserLine = 1;
    try {
      parse(bytes.subarray(from), {
        bom: true,
        delimiter: separator,
        record_delimiter: lineEnd,
        relax_column_count: true,
        max_record_size: MOST_ROW_CHARACTERS,
        on_record: (cells: string[], { bytes: read, lines }) => {
          if (cells.some((cell) => cell.trim() !== '')) rows.push({ line, cells });
          goTo(from + read);
          parserLine = lines + 1;
          return null;
        },
      });
      break;
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      // The parser counts from where it began.
      const message = error.message.replace(/ at line \d+/, '').slice(0, 200);
      faults.push({ line, title: '', reason: `The line cannot be read: ${message}` });
      // What came before it is good.
      if (error.code === 'CSV_QUOTE_NOT_CLOSED') break;
      goTo(endOfLine(bytes, at, Number(error.lines) - parserLine, lineEnd));
    }
  }
  return { rows, faults };
}

const [LF, CR] = [10, 13];

function linesIn(bytes: Buffer): number {
  let count = 0;
  bytes.forEach((byte, index) => {
    if (byte === LF || (byte === CR && bytes[index + 1] !== LF)) count += 1;
  });
  return count;
}

/** Of the line so many below: inside of quotes the parser takes both halves of CR LF for lines. */
function endOfLine(bytes: Buffer, from: number, below: number, lineEnd: string): number {
  let at = from;
  for (let left = below; left > 0 && at < bytes.length; at++)
    if (bytes[at] === LF || bytes[at] === CR) left -= 1;
  const end = bytes.indexOf(lineEnd, at);
  return end < 0 ? bytes.length : end + lineEnd.length;
}

/** As the first line has it outside of quotes: the separator that it has most of, and what it ends with. */
function formOf(text: string): { readonly separator: string; readonly lineEnd: string } {
  const bare = text.replace(/"[^"]*"/g, '');
  const [line = ''] = bare.split(/[\r\n]/, 1);
  const counts = SEPARATORS.map((one) => line.split(one).length);
  return {
    separator: SEPARATORS[counts.indexOf(Math.max(...counts))] as string,
    lineEnd: /\r\n|[\r\n]/.exec(bare)?.[0] ?? '\n',
  };
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
  // Outlook writes whole days from midnight to midnight: what ends then does not take the day that begins.
  const isOver =
    isDay && lastTime !== undefined && end.local.endsWith(' 00:00:00') && cut(end.local) > cut(start.local);
  return {
    all_day: isDay,
    start_date: cut(start.local),
    end_date: isOver ? dayBefore(cut(end.local)) : cut(end.local),
    ...(timezone !== undefined && { timezone }),
  };
}

const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);

function flag(field: string, text: string): boolean {
  if (/^(?:1|true|yes|y|on|x)$/i.test(text)) return true;
  if (/^(?:0|false|no|n|off)$/i.test(text)) return false;
  throw new Unreadable(`Its ${field} is neither yes nor no.`);
}

const isWanted = ({ start_date: start, end_date: end }: TableEvent, { from, to }: Wanted): boolean =>
  (from === undefined || end.slice(0, 10) >= from) && (to === undefined || start.slice(0, 10) <= to);
