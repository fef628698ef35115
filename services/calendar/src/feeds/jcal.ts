/** iCalendar as data (RFC 7265), and as the text that programs read (RFC 5545). */
import ICAL from 'ical.js';
import { stripControl } from '@sevenfold/text/text';

type Params = Readonly<Record<string, string>>;
type Value = string | number | readonly number[];
export type Property = readonly [name: string, params: Params, type: string, ...values: Value[]];
export type Component = readonly [
  name: string,
  properties: readonly Property[],
  components: readonly Component[],
];

// The library does not count the blank before what goes on: no line is longer than 75 octets with it.
ICAL.foldLength = 74;

/** Lines are folded, texts escaped, and each line ends, the last one too. */
export const textOf = (calendar: Component): string => ICAL.stringify([...calendar]);

/** Text that means nothing to whoever reads lines. */
export const plain = (text: string): string => stripControl(text).replace(/\r\n?/g, '\n');
