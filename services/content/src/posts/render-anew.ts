/** The rendered texts of a post, as what they take from elsewhere is by now. Nothing is written or told where nothing changed. */
import { emit } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Deps } from '../deps';
import { changed } from './aftermath';
import { sourcesFor } from './sources';
import * as store from './store';
import { renderTexts } from './texts';

/** With `raw` only if that is still what it says. */
export async function renderAnew(
  tx: Db,
  { settings }: Pick<Deps, 'settings'>,
  id: number,
  raw?: string,
): Promise<void> {
  const post = await store.lockById(tx, id);
  if (!post || (raw !== undefined && post.contentRaw !== raw)) return;
  const { contentHtml, excerptHtml } = await renderTexts(
    post,
    await sourcesFor(tx, post, await settings.within(tx)),
  );
  if (contentHtml === post.contentHtml && excerptHtml === post.excerptHtml) return;
  await store.update(tx, id, { contentHtml, excerptHtml });
  await emit(tx, 'content.post.changed', changed(post, post.status));
}
