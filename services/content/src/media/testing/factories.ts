/** Attachments straight into the tables, without files behind them. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { makePost } from '../../testing/factories';

let counter = 0;

/** A picture in the library, unless said otherwise; `media` are columns of that table. */
export async function makeMedia(
  db: Db,
  fields: Record<string, unknown> = {},
  media: Record<string, unknown> = {},
): Promise<{ id: number; slug: string; file: string }> {
  const n = (counter += 1);
  const post = await makePost(db, {
    type: 'attachment',
    status: 'inherit',
    slug: `pic-${n}`,
    path: `pic-${n}`,
    title_raw: `Pic ${n}`,
    title_html: `Pic ${n}`,
    content_raw: '',
    content_html: '',
    excerpt_html: '',
    ...fields,
  });
  const row = {
    post_id: post.id,
    file: `2024/01/pic-${n}.png`,
    mime_type: 'image/png',
    filesize: 10,
    details: JSON.stringify({ width: 10, height: 10, sizes: {} }),
    ...media,
  };
  const names = Object.keys(row);
  await db.run(
    `insert into media (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
  return { ...post, file: row.file };
}
