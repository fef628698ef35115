/** Rows of forms. A deleted one is not there for anybody but the mail that was promised before. */
import { addTerm } from '@sevenfold/chassis/db/search';
import { Conditions, type Db } from '@sevenfold/chassis/db/sql';
import { stripControl } from '@sevenfold/text/text';
import type { Properties } from './properties';

export interface FormName {
  readonly id: number;
  readonly slug: string;
  readonly title: string;
  readonly locale: string;
}

/** What is written of a form. */
export type FormFields = Pick<FormName, 'title' | 'locale'> & Properties;

export interface FormRow extends FormFields {
  readonly id: number;
  readonly slug: string;
  /** Counts the changes. */
  readonly version: number;
}

const COLUMNS =
  'f.id, f.slug, f.title, f.locale, f.version, f.form, f.mail, f.mail_2, f.messages, f.additional_settings';

export const findById = (db: Db, id: number): Promise<FormRow | undefined> =>
  db.first<FormRow>(`select ${COLUMNS} from forms f where f.id = $1 and f.deleted_at is null`, [id]);

/** Deleted ones, too: for mail that was promised. */
export const findAny = (db: Db, id: number): Promise<FormRow | undefined> =>
  db.first<FormRow>(`select ${COLUMNS} from forms f where f.id = $1`, [id]);

/** For a change that depends on what is there. */
export const lock = (tx: Db, id: number): Promise<FormRow | undefined> =>
  tx.first<FormRow>(`select ${COLUMNS} from forms f where f.id = $1 and f.deleted_at is null for update`, [
    id,
  ]);

const ORDER_BY: Readonly<Record<string, string>> = {
  id: 'f.id',
  title: 'lower(f.title)',
  slug: 'f.slug',
  name: 'f.slug',
  date: 'f.created_at',
  modified: 'f.updated_at',
};

export interface FormFilter {
  readonly search?: string;
  /** One of schema.ts, in lower case. */
  readonly orderBy: string;
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
}

export function list(db: Db, filter: FormFilter): Promise<FormName[]> {
  const conditions = new Conditions().add('f.deleted_at is null');
  const term = stripControl(filter.search ?? '').trim();
  if (term !== '') addTerm(conditions, term, [{ text: 'lower(f.title)', title: 'f.title' }]);
  const direction = filter.descending ? 'desc' : 'asc';
  return db.rows<FormName>(
    `select f.id, f.slug, f.title, f.locale from forms f where ${conditions.where}
      order by ${ORDER_BY[filter.orderBy]} ${direction}, f.id ${direction}
      limit ${conditions.value(filter.limit)} offset ${conditions.value(filter.offset)}`,
    conditions.values,
  );
}

/** Slugs that stand in the way of this one; whoever asks holds the lock until its form is written. */
export async function takenSlugs(tx: Db, base: string): Promise<string[]> {
  await tx.run(`select pg_advisory_xact_lock(hashtext('forms:slugs'))`);
  const rows = await tx.rows<{ slug: string }>(
    `select slug from forms where deleted_at is null and (slug = $1 or starts_with(slug, $1 || '-'))`,
    [base],
  );
  return rows.map(({ slug }) => slug);
}

const WRITTEN = ['title', 'locale', 'form', 'mail', 'mail_2', 'messages', 'additional_settings'] as const;

/** In the order of WRITTEN. */
const written = (fields: FormFields): unknown[] => WRITTEN.map((name) => fields[name]);

export const insert = (tx: Db, slug: string, fields: FormFields): Promise<FormRow | undefined> =>
  tx.first<FormRow>(
    `insert into forms as f (slug, ${WRITTEN.join(', ')}) values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
    [slug, ...written(fields)],
  );

export const update = (tx: Db, id: number, fields: FormFields): Promise<FormRow | undefined> =>
  tx.first<FormRow>(
    `update forms f set ${WRITTEN.map((name, at) => `${name} = $${at + 2}`).join(', ')},
            version = f.version + 1, updated_at = now()
      where f.id = $1 and f.deleted_at is null returning ${COLUMNS}`,
    [id, ...written(fields)],
  );

/** False: it was not there any more. */
export const remove = async (db: Db, id: number): Promise<boolean> =>
  (await db.run('update forms set deleted_at = now() where id = $1 and deleted_at is null', [id])) > 0;

/** Deleted ones count: a site whose form was deleted gets no new one by itself. */
export const hasAny = async (db: Db): Promise<boolean> =>
  (await db.first('select 1 from forms limit 1')) !== undefined;
