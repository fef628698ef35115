/** Settings that differ from their defaults, one row each. A write tells every process (settings/read.ts listens). */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { saveArgs } from './schema';

export type SavedSettings = Record<keyof typeof saveArgs, boolean>;

const defaults: SavedSettings = {
  spamfilter_strictness: true,
  spamfilter_show_user_comments_approved: true,
};

export async function read(db: Db): Promise<SavedSettings> {
  const rows = await db.rows<{ name: string; value: boolean }>('select name, value from settings');
  return { ...defaults, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) };
}

export async function save(tx: Db, changes: Partial<SavedSettings>): Promise<void> {
  await tx.run(
    `insert into settings (name, value) select key, value from jsonb_each($1::jsonb) order by key
     on conflict (name) do update set value = excluded.value`,
    [JSON.stringify(changes)],
  );
  await tx.first(`select pg_notify('settings', '')`);
}
