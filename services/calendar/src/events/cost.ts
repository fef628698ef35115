/**
 * Costs as people write them (`$5 - 15`, `EUR 12`, `from 10 to 30`, `Free`, lists of numbers): taken apart once, when
 * written, and put together for every answer (REFERENCE.md 9.2). It never refuses a text, it only finds less in it.
 */
import { decodeEntities, escapeHtml } from '@sevenfold/text/html';
import { NUMBER, withoutMarks } from '@sevenfold/text/numbers';
import { cleanText } from '@sevenfold/text/text';

export interface CostDetails {
  /** As the text named it; empty when it named none. */
  readonly symbol: string;
  readonly position: '' | 'prefix' | 'postfix';
  /** Numbers as plain decimal text, and words in small letters, ascending without repetition. */
  readonly values: readonly string[];
  /** Least and greatest as they were written, or one of them. */
  readonly shown: readonly string[];
}

export interface Cost {
  /** What was written, for editing. */
  readonly text: string;
  readonly details: CostDetails;
}

const NONE: Cost = { text: '', details: { symbol: '', position: '', values: [], shown: [] } };
const MOST_CHARACTERS = 1000;
const MOST_VALUES = 50;
const FREE = 'Free';

const CODES = new Set(Intl.supportedValuesOf('currency'));
// A sign, a sign with letters before it (US$, R$), a code, or one of the words that stand for a sign.
const SYMBOL = '(?:\\p{Lu}{1,3})?\\p{Sc}|\\p{Lu}{3}(?!\\p{L})|kr\\.?|zł|Kč|Fr\\.|Ft|лв';
const BEFORE = new RegExp(`(?<!\\p{L})(${SYMBOL})\\s*${NUMBER}`, 'u');
const AFTER = new RegExp(`\\d\\s*(${SYMBOL})(?!\\p{L})`, 'u');
const TOKEN = new RegExp(`${NUMBER}|(?<!\\p{L})free(?!\\p{L})`, 'giu');

/** What an import's source says beside the text. */
export interface GivenCurrency {
  readonly symbol?: string;
  readonly position?: string;
}

/** Undefined when the value is nothing that could be a cost. `''`, null, false and 0 are no cost. */
export function readCost(value: unknown, given: GivenCurrency = {}): Cost | undefined {
  const text = textOf(value);
  if (text === undefined || text.length > MOST_CHARACTERS) return undefined;
  // Entities: clients send back what they were shown.
  const clean = cleanText(decodeEntities(text));
  if (clean === '' || clean === '0') return NONE;
  const found = parts(clean);
  if (found.length > MOST_VALUES) return undefined;
  const named = given.symbol
    ? { symbol: cleanText(given.symbol), position: positionOf(given.position) }
    : symbolIn(clean);
  return { text: clean, details: { ...named, ...(found.length > 0 ? range(found) : word(clean)) } };
}

const positionOf = (position: string | undefined): 'prefix' | 'postfix' =>
  position === 'postfix' || position === 'suffix' ? 'postfix' : 'prefix';

function textOf(value: unknown): string | undefined {
  if (value === null || value === false) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return value >= 0 ? plainNumber(value) : undefined;
  const list = Array.isArray(value)
    ? (value as unknown[])
    : typeof value === 'object'
      ? Object.values(value as object)
      : undefined;
  // It would be longer as a text.
  if (list && list.length > MOST_CHARACTERS) return undefined;
  const texts = list?.map((entry) =>
    typeof entry === 'string' || typeof entry === 'number' ? textOf(entry) : undefined,
  );
  return texts?.every((text) => text !== undefined) ? texts.join(' - ') : undefined;
}

/** Never 1e+21: such text could not be read again. */
const plainNumber = (value: number): string =>
  Number.isInteger(value)
    ? BigInt(value).toString()
    : String(value).includes('e')
      ? value.toFixed(6)
      : String(value);

interface Part {
  readonly written: string;
  readonly value: string;
  readonly size: number;
}

function parts(text: string): Part[] {
  return [...text.matchAll(TOKEN)].map(([written]) => {
    if (!/^\d/.test(written)) return { written, value: 'free', size: 0 };
    const value = decimal(written);
    const size = Number(value);
    return { written: size === 0 ? FREE : written, value, size };
  });
}

/**
 * `1,000`, `1.000.000`, `10 000` and `1,00,000` are thousands; `12,50` and `1.000,50` have a decimal comma; a lone point is
 * decimal.
 */
function decimal(number: string): string {
  const written = withoutMarks(number);
  const last = Math.max(written.lastIndexOf(','), written.lastIndexOf('.'));
  if (last < 0) return written;
  const mark = written[last] as string;
  const marks = [...written].filter((char) => char === ',' || char === '.');
  const grouped = /^\d{1,3}([.,]\d{3})+$|^\d{1,2}(,\d\d)+,\d{3}$/.test(written);
  const isThousands = marks.every((char) => char === mark) && grouped && (mark === ',' || marks.length > 1);
  if (isThousands) return written.replace(/[.,]/g, '');
  return `${written.slice(0, last).replace(/[.,]/g, '')}.${written.slice(last + 1)}`;
}

function range(found: readonly Part[]): Pick<CostDetails, 'values' | 'shown'> {
  const sorted = [...found].sort((a, b) => a.size - b.size);
  const [least, greatest] = [sorted[0] as Part, sorted[sorted.length - 1] as Part];
  return {
    values: [...new Set(sorted.map(({ value }) => value))],
    shown: least.size === greatest.size ? [least.written] : [least.written, greatest.written],
  };
}

const word = (text: string): Pick<CostDetails, 'values' | 'shown'> => ({
  values: [text.toLowerCase()],
  shown: [text],
});

function symbolIn(text: string): Pick<CostDetails, 'symbol' | 'position'> {
  const before = BEFORE.exec(text)?.[1];
  if (before && isSymbol(before)) return { symbol: before, position: 'prefix' };
  const after = AFTER.exec(text)?.[1];
  if (after && isSymbol(after)) return { symbol: after, position: 'postfix' };
  return { symbol: '', position: '' };
}

const isSymbol = (text: string): boolean => !/^\p{Lu}{3}$/u.test(text) || CODES.has(text);

/** As people read it, escaped for HTML: `$5 – $15`, `12€`, `Free`. */
export function formatCost(cost: CostDetails, defaultSymbol: string): string {
  return cost.shown.map((written) => escapeHtml(withSymbol(written, cost, defaultSymbol))).join(' – ');
}

function withSymbol(written: string, { symbol, position }: CostDetails, defaultSymbol: string): string {
  if (!/^\d/.test(written)) return written;
  if (symbol === '') return `${defaultSymbol}${written}`;
  return position === 'postfix' ? `${written}${symbol}` : `${symbol}${written}`;
}

/** The least price as a number in text, for structured data; undefined when the cost names none. */
export function lowestPrice({ values }: CostDetails): string | undefined {
  const first = values[0];
  if (first === undefined) return undefined;
  if (first === 'free') return '0';
  return /^\d/.test(first) ? first : undefined;
}
