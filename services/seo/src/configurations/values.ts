/** What an answer of the wizard may be. Each reads what was sent: the text to keep, or undefined for what is none. */
import { stripControl } from '@sevenfold/text/text';

export type Reader = (sent: unknown) => string | undefined;

export interface Choice {
  readonly label: string;
}
export type Choices = Readonly<Record<string, Choice>>;

/** One of them, by its name; `true` and `false` may come as such. */
export const oneOf =
  (choices: Choices): Reader =>
  (sent) => {
    const name = typeof sent === 'boolean' ? String(sent) : sent;
    return typeof name === 'string' && Object.hasOwn(choices, name) ? name : undefined;
  };

/** A line. */
export const line =
  (most: number): Reader =>
  (sent) => {
    const text = textOf(sent)?.replace(/\s+/g, ' ').trim();
    return text !== undefined && text.length <= most ? text : undefined;
  };

const LONGEST_ADDRESS = 2_000;

/** An address of the web, or nothing. */
export const address: Reader = (sent) => {
  const text = line(LONGEST_ADDRESS)(sent);
  if (text === undefined || text === '') return text;
  if (!URL.canParse(text)) return undefined;
  const { protocol, href, username, password } = new URL(text);
  const isPlain = (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
  return isPlain && href.length <= LONGEST_ADDRESS ? href : undefined;
};

/** The name of an account without its `@`, or the address of its page. */
export const account: Reader = (sent) => {
  const text = line(LONGEST_ADDRESS)(sent);
  if (text === undefined || text === '') return text;
  const name = /^@?(\w{1,50})$/.exec(text)?.[1];
  return name ?? address(text);
};

export const digits: Reader = (sent) => {
  const text = line(50)(sent);
  return text !== undefined && /^\d*$/.test(text) ? text : undefined;
};

const MOST_PATHS = 200;
const LONGEST_PATH = 500;

/** Paths from the first slash on, one a line; what robots.txt takes for more than a path is refused. */
export const paths: Reader = (sent) => {
  const lines = textOf(sent)
    ?.split(/\r\n?|\n/)
    .map((path) => path.trim())
    .filter((path) => path !== '');
  const isRight = (path: string): boolean => path.length <= LONGEST_PATH && /^\/[^\s#]*$/.test(path);
  return lines && lines.length <= MOST_PATHS && lines.every(isRight)
    ? [...new Set(lines)].join('\n')
    : undefined;
};

/** Nothing is an empty text, as everywhere on writes. */
function textOf(sent: unknown): string | undefined {
  if (sent === null) return '';
  if (typeof sent === 'number') return String(sent);
  return typeof sent === 'string' ? stripControl(sent) : undefined;
}
