/** By slug, the name in the path only finds the thing; the one in the body renames it. */
import { invalidParam } from '@sevenfold/chassis/errors';

/** As by id: null says nothing of it, and numbers and booleans are text. Throws 400 for what is no name. */
export function newSlug(body: unknown): string | undefined {
  const { slug } = body as { slug?: unknown };
  if (slug === undefined || slug === null) return undefined;
  if (typeof slug !== 'string' && typeof slug !== 'number' && typeof slug !== 'boolean')
    throw invalidParam('slug', 'slug is not of type string.');
  if (String(slug).trim() === '') throw invalidParam('slug', 'slug must not be empty.');
  return String(slug);
}
