/** Settings that differ from their defaults, one row each. Triggers tell every process of a change (settings/cache.ts listens). */
import { emit } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { SettingName } from './schema';

/** `null` takes a setting back to its default; a title taken back is none. */
export async function save(tx: Db, changes: ReadonlyMap<SettingName, unknown>): Promise<void> {
  const entries = [...changes];
  const isReset = ([name, value]: [SettingName, unknown]): boolean => value === null && name !== 'title';
  const kept = entries.filter((entry) => !isReset(entry));
  const reset = entries.filter(isReset).map(([name]) => name);
  if (reset.length > 0) await tx.run('delete from settings where name = any($1)', [reset]);
  if (kept.length > 0)
    await tx.run(
      // Whoever sends all of them back has changed nothing, and makes nothing old.
      `insert into settings as old (name, value) select key, value from jsonb_each($1::jsonb) order by key
       on conflict (name) do update set value = excluded.value where old.value <> excluded.value`,
      [JSON.stringify(Object.fromEntries(kept))],
    );
  await emit(tx, 'content.settings.changed', { names: entries.map(([name]) => name) });
}
