/** Own settings that differ from their defaults, and what is known of the site. Triggers tell every process of a change. */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { SeoSettings, Site } from '../analysis/shape';

/** What is chosen here, by the names of SeoSettings. */
export type OwnSettings = Omit<SeoSettings, 'site'>;

export interface Saved {
  readonly site?: Site;
  readonly own: Readonly<Record<string, unknown>>;
}

export async function read(db: Db): Promise<Saved> {
  const row = await db.first<{ site: Site | null; own: Record<string, unknown> | null }>(
    'select (select facts from site) as site, (select jsonb_object_agg(name, value) from settings) as own',
  );
  return { site: row?.site ?? undefined, own: row?.own ?? {} };
}

/** Names that analysis reads (OwnSettings), and any others. */
export async function save(tx: Db, changes: Readonly<Record<string, unknown>>): Promise<void> {
  await tx.run(
    `insert into settings as old (name, value) select key, value from jsonb_each($1::jsonb) order by key
     on conflict (name) do update set value = excluded.value where old.value <> excluded.value`,
    [JSON.stringify(changes)],
  );
}

/** Whether the site is not what it was. */
export async function keepSite(tx: Db, site: Site): Promise<boolean> {
  const changed = await tx.run(
    `insert into site as old (facts) values ($1::jsonb)
     on conflict (only_one) do update set facts = excluded.facts where old.facts <> excluded.facts`,
    [JSON.stringify(site)],
  );
  return changed > 0;
}
