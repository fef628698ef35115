/**
 * The entries of an iCalendar file, each read by itself: one that is wrong is told by its line, and the others are none the worse
 * for it.
 */
import ICAL from 'ical.js';
import type { Fault } from './found';

type Component = InstanceType<typeof ICAL.Component>;

/** As the parser has it (RFC 7265). */
export interface Property {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly type: string;
  readonly values: readonly unknown[];
}

/** Of a value that is one; empty for what is none, or has parts. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

export interface Entry {
  /** Where it begins in the file. */
  readonly line: number;
  readonly all: (name: string) => readonly Property[];
  /** Of what has one value; empty where there is none. */
  readonly text: (name: string) => string;
}

export interface Entries {
  readonly events: readonly Entry[];
  readonly zones: readonly Component[];
  /** What the file as a whole says: `X-WR-TIMEZONE`. */
  readonly timezone: string;
  readonly faults: readonly Fault[];
}

interface Block {
  readonly name: string;
  readonly line: number;
  readonly lines: string[];
}

const MOST_LINES = 2_000_000;

/** Throws where the text is no calendar at all. */
export function readEntries(text: string): Entries {
  const faults: Fault[] = [];
  const events: Entry[] = [];
  const zones: Component[] = [];
  const { blocks, timezone } = blocksOf(text, faults);
  for (const block of blocks) {
    try {
      const component = new ICAL.Component(ICAL.parse(block.lines.join('\r\n')) as unknown[]);
      if (block.name === 'VTIMEZONE') zones.push(component);
      else events.push(entryOf(component, block.line));
    } catch (error) {
      const reason = `It cannot be read: ${(error as Error).message.slice(0, 200)}.`;
      faults.push({ line: block.line, title: titleIn(block), reason });
    }
  }
  return { events, zones, timezone, faults };
}

const titleIn = ({ lines }: Block): string =>
  (lines.find((line) => /^SUMMARY[;:]/i.test(line)) ?? '').replace(/^[^:]*:/, '').slice(0, 200);

function entryOf(component: Component, line: number): Entry {
  const all = (name: string): readonly Property[] =>
    component.getAllProperties(name).map((property) => {
      const [, params, type, ...values] = property.jCal as [string, Property['params'], string, ...unknown[]];
      // Rules are objects that know how they are written.
      return type === 'recur'
        ? { params, type, values: property.getValues().map(String) }
        : { params, type, values };
    });
  return {
    line,
    all,
    text: (name) => {
      const [value] = all(name)[0]?.values ?? [];
      return typeof value === 'string' ? value : '';
    },
  };
}

/** Events and zones, wherever they stand; what is inside of an event, such as its alarms, is nobody's business. */
function blocksOf(text: string, faults: Fault[]): { readonly blocks: Block[]; readonly timezone: string } {
  const blocks: Block[] = [];
  const open: string[] = [];
  let block: Block | undefined;
  let timezone = '';
  let isCalendar = false;
  for (const { content, line } of unfolded(text)) {
    const [, verb = '', name = ''] = /^(BEGIN|END):\s*([\w-]+)\s*$/i.exec(content) ?? [];
    const kind = name.toUpperCase();
    if (verb.toUpperCase() === 'BEGIN') {
      isCalendar ||= kind === 'VCALENDAR';
      open.push(kind);
      if (!block && (kind === 'VEVENT' || kind === 'VTIMEZONE')) block = { name: kind, line, lines: [] };
    }
    const isInside = block && (block.name === 'VTIMEZONE' || open.at(-1) === block.name);
    if (block && isInside) block.lines.push(content);
    else if (open.length === 1) timezone ||= /^X-WR-TIMEZONE[^:]*:(.*)$/i.exec(content)?.[1]?.trim() ?? '';
    if (verb.toUpperCase() !== 'END') continue;
    const last = open.lastIndexOf(kind);
    if (last >= 0) open.length = last;
    if (block?.name !== kind) continue;
    blocks.push(block);
    block = undefined;
  }
  if (!isCalendar) throw new Error('it is no calendar: nothing in it begins one (BEGIN:VCALENDAR)');
  if (block)
    faults.push({ line: block.line, title: titleIn(block), reason: 'The file ends in the middle of it.' });
  return { blocks, timezone };
}

/** Lines as they were before they were folded, each with the number of its first one. */
function unfolded(text: string): { content: string; line: number }[] {
  const lines: { content: string; line: number }[] = [];
  const raw = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  if (raw.length > MOST_LINES) throw new Error(`it has more than ${MOST_LINES} lines`);
  raw.forEach((content, index) => {
    const before = lines.at(-1);
    if (/^[ \t]/.test(content) && before) before.content += content.slice(1);
    else if (content.trim() !== '') lines.push({ content, line: index + 1 });
  });
  return lines;
}
