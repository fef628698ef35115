/** Names of categories and tags to ids: one call of the content service for each taxonomy, however many events. */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Term } from '@sevenfold/proto/gen/sevenfold/content/v1/terms';
import type { Deps } from '../deps';
import { small } from './fields';

export interface NamedTerms {
  /** By name in small letters. */
  readonly ids: ReadonlyMap<string, number>;
  /** By this import; also earlier, where nobody heard the answer. */
  readonly created: ReadonlySet<number>;
}

const MOST_NAMES = 1_000;
const DEADLINE_MS = 15_000;

/** Names that the content service makes nothing of are left out. */
export async function resolveNames(
  deps: Deps,
  actor: Actor,
  importId: string,
  taxonomy: string,
  wanted: Iterable<string>,
): Promise<NamedTerms> {
  const byKey = new Map<string, string>();
  for (const name of wanted) if (!byKey.has(small(name))) byKey.set(small(name), name);
  const ids = new Map<string, number>();
  const made: Term[] = [];
  const created = new Set<number>();
  const all = [...byKey];
  for (let from = 0; from < all.length; from += MOST_NAMES) {
    const some = all.slice(from, from + MOST_NAMES);
    const { results } = await deps.content.terms.resolveTerms(
      {
        taxonomy,
        refs: some.map(([, value]) => ({ ref: { $case: 'name', value } })),
        createMissing: true,
        importId,
      },
      { actor, deadlineMs: DEADLINE_MS },
    );
    results.forEach((result, index) => {
      if (!result.term) return;
      ids.set((some[index] as [string, string])[0], result.term.id);
      if (result.created) made.push(result.term);
      // Content services of the version before tell only what this very call has made.
      if (result.created || result.ofImport) created.add(result.term.id);
    });
  }
  await deps.known.learnTerms(made);
  return { ids, created };
}
