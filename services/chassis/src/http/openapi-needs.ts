/**
 * Who may use a route, in words, for its OpenAPI document: the permission itself is asked, with callers who have one right
 * more each time until it lets one in. It is asked without a subject, as OPTIONS asks it, so what depends on whose
 * something is stays open; that there is more to it is said.
 */
import { type Actor, stranger } from '../actor';
import type { ArgTable } from './args';
import { variablesOf } from './openapi-paths';
import { type AnyRoute, type Method, anyone } from './route';

type Args = Readonly<Record<string, unknown>>;

/** No permission asks for more rights than this. */
const MOST_RIGHTS = 20;

/** A permission that looks at more than it is given here may let strangers in, which depends on how the site is set up. */
const strangers = <D>(row: AnyRoute<D>, args: Args = {}): boolean | undefined =>
  row.permission === anyone || asked(() => passes(row, { actor: stranger, args }));

export const strangersMay = <D>(row: AnyRoute<D>): boolean => strangers(row) ?? true;

/** The rights that a user needs; none where it takes only a log-in, or where the permission looks at something else. */
function rightsFor<D>(row: AnyRoute<D>, { args, note }: Omit<Question, 'actor'> = {}): string[] {
  const held = new Set<string>();
  while (held.size < MOST_RIGHTS) {
    const looked: string[] = [];
    if (asked(() => passes(row, { actor: userWith(held, looked), args, note }))) return [...held];
    const missing = looked.find((right) => !held.has(right));
    if (missing === undefined) return [];
    held.add(missing);
  }
  return [];
}

function asked(question: () => boolean): boolean | undefined {
  try {
    return question();
  } catch {
    return undefined;
  }
}

interface Question {
  readonly actor: Actor;
  readonly args?: Args;
  /** Hears what the permission looks at. */
  readonly note?: (part: 'subject' | 'args' | 'sent') => void;
}

function passes<D>({ permission, path }: AnyRoute<D>, { actor, args = {}, note }: Question): boolean {
  const inPath = Object.keys(variablesOf(path)).map((name) => [name, undefined] as const);
  return !permission({
    deps: undefined as D,
    actor,
    get subject() {
      note?.('subject');
      return undefined;
    },
    get args() {
      note?.('args');
      return { ...Object.fromEntries(inPath), ...args };
    },
    get sent() {
      note?.('sent');
      return new Set(Object.keys(args));
    },
  });
}

/** Somebody who is logged in, and whose rights note which of them are looked at. */
const userWith = (held: ReadonlySet<string>, looked: string[]): Actor => ({
  ...stranger,
  id: 1,
  capabilities: Object.assign(new Set(held), {
    has: (right: string) => {
      looked.push(right);
      return held.has(right);
    },
  }),
});

const named = (rights: readonly string[]): string => rights.map((right) => `\`${right}\``).join(' and ');

/** One or two sentences. */
export const needs = <D>(row: AnyRoute<D>, method: Method): string =>
  [generalNeeds(row), editNeeds(row, method)].filter((sentence) => sentence !== '').join(' ');

function generalNeeds<D>(row: AnyRoute<D>): string {
  if (row.permission === anyone) return 'Everybody may ask.';
  const open = strangers(row);
  if (open === undefined) return 'Who may depends on what is asked for, and on the settings of the site.';
  if (open) return 'Strangers may ask; what they may not see is 401.';
  const looked = new Set<string>();
  const rights = rightsFor(row, { note: (part) => looked.add(part) });
  const more = looked.has('subject')
    ? '; whose it is, and what is asked for, may take more or less'
    : looked.size > 0
      ? '; what is asked for may take more'
      : '';
  return rights.length === 0
    ? `For users who are logged in${more}.`
    : `For users with the right ${named(rights)}${more}.`;
}

/** Of reads that show more to whoever may change what they show. */
function editNeeds<D>(row: AnyRoute<D>, method: Method): string {
  const { context } = row.args as ArgTable;
  if (method !== 'GET' || !context?.enum?.includes('edit')) return '';
  const rights =
    strangers(row, { context: 'edit' }) === false ? rightsFor(row, { args: { context: 'edit' } }) : [];
  if (rights.length > 0) return `The edit context takes the right ${named(rights)}.`;
  return row.load ? 'The edit context is for those who may change it.' : '';
}
