/**
 * The `categories` and `tags` of a body: ids, names, or both mixed, alone, in a list or separated by commas. Ids that
 * do not exist are left out; names without a term make one, by the rights of the caller.
 */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Deps } from '../deps';

export const CATEGORY = 'calendar_events_cat';
export const TAG = 'post_tag';

type Ref = number | string;

const MOST_REFS = 200;
/** With those between two commas, which name none. */
const MOST_SENT = 10 * MOST_REFS;

/** The refs of a value; undefined when it is nothing that could name terms. `''`, `[]` and null name none. */
function termRefs(value: unknown): Ref[] | undefined {
  if (value === '' || value === null) return [];
  if (typeof value === 'string') return asList(value.split(',', MOST_SENT + 1));
  if (typeof value === 'number') return asList([value]);
  if (Array.isArray(value)) return asList(value);
  if (typeof value !== 'object') return undefined;
  const { id } = value as { id?: unknown };
  // A term as it was shown, or a list that lost its brackets on the way (form fields).
  return asList(id === undefined ? Object.values(value) : [id]);
}

function asList(values: readonly unknown[]): Ref[] | undefined {
  if (values.length > MOST_SENT) return undefined;
  const refs: Ref[] = [];
  for (const value of values) {
    const plain =
      value !== null && typeof value === 'object' && !Array.isArray(value)
        ? (value as { id?: unknown }).id
        : value;
    if (typeof plain === 'string') refs.push(...refOf(plain));
    else if (Number.isSafeInteger(plain) && (plain as number) >= 0) refs.push(plain as number);
    else return undefined;
  }
  return refs.length > MOST_REFS ? undefined : refs;
}

function refOf(text: string): Ref[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  return /^\d{1,15}$/.test(trimmed) ? [Number(trimmed)] : [trimmed];
}

export const checkTerms = (value: unknown): string | undefined =>
  termRefs(value) === undefined ? `It must be numbers or names, at most ${MOST_REFS} of them.` : undefined;

/** Ids of the terms, in the order of the refs; undefined when `value` is. One call of the content service at most. */
export async function resolveTerms(
  deps: Deps,
  taxonomy: string,
  value: unknown,
  actor: Actor,
): Promise<number[] | undefined> {
  if (value === undefined) return undefined;
  const refs = termRefs(value) ?? [];
  if (refs.length === 0) return [];
  if (refs.every((ref) => typeof ref === 'number')) {
    const found = await deps.known.terms(refs, 'authoritative');
    return [...new Set(refs)].filter((id) => found.get(id)?.taxonomy === taxonomy);
  }
  const { results } = await deps.content.terms.resolveTerms(
    {
      taxonomy,
      refs: refs.map((value) => ({
        ref: typeof value === 'number' ? { $case: 'id', value } : { $case: 'name', value },
      })),
      createMissing: true,
    },
    { actor },
  );
  const terms = results.flatMap(({ term }) => (term && term.taxonomy === taxonomy ? [term] : []));
  await deps.known.learnTerms(terms);
  return [...new Set(terms.map(({ id }) => id))];
}
