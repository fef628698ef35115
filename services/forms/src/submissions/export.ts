/**
 * Submissions as CSV or JSON lines, page by page: at no moment is more than a page in memory, whatever their number. What
 * comes in after the beginning is not in it.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Submission } from '@sevenfold/proto/gen/sevenfold/forms/v1/submission';
import * as uploads from '../uploads/store';
import { csvRow } from './csv';
import { present, toJson } from './presenter';
import * as store from './store';

export type Format = 'csv' | 'jsonl';

export interface ExportOptions {
  readonly format: Format;
  readonly byteOrderMark?: boolean;
}

// A submission may be a megabyte.
const PAGE = 100;
const NAMES_PAGE = 5_000;

/** Pieces of the text. Whoever stops reading stops the work. */
export async function* exportSubmissions(
  db: Db,
  filter: store.Filter,
  { format, byteOrderMark = false }: ExportOptions,
): AsyncGenerator<string> {
  const last = await store.lastId(db);
  if (format === 'jsonl') {
    for await (const page of pages(db, filter, last))
      yield page.map((one) => `${JSON.stringify(toJson(one))}\n`).join('');
    return;
  }
  const fields = await fieldNames(db, filter, last);
  yield (byteOrderMark ? '\ufeff' : '') + csvRow([...COLUMNS.map(([name]) => name), ...fields]);
  for await (const page of pages(db, filter, last)) yield page.map((one) => rowOf(one, fields)).join('');
}

async function* pages(db: Db, filter: store.Filter, last: number): AsyncGenerator<Submission[]> {
  let above = 0;
  for (;;) {
    const rows = await store.listUp(db, filter, { above, last, limit: PAGE });
    const files = await uploads.ofSubmissions(
      db,
      rows.map(({ id }) => id),
    );
    if (rows.length > 0) yield rows.map((row) => present(row, files));
    if (rows.length < PAGE) return;
    above = (rows.at(-1) as store.SubmissionRow).id;
  }
}

const COLUMNS: readonly (readonly [string, (one: Submission) => string])[] = [
  ['id', ({ id }) => String(id)],
  ['form', ({ formTitle }) => formTitle],
  ['status', ({ status }) => status],
  ['submitted_at', ({ submittedAt }) => submittedAt],
  ['mail', ({ mail }) => mail],
  ['mail_2', ({ mail2 }) => mail2],
  ['spam_verdict', ({ spamVerdict }) => spamVerdict],
  ['address', ({ address }) => address],
  ['url', ({ url }) => url],
  ['files', ({ files }) => files.map(({ name }) => name).join('; ')],
];

/** Every field that any of them has: columns must be known before the first row. */
async function fieldNames(db: Db, filter: store.Filter, last: number): Promise<string[]> {
  const names = new Set<string>();
  for (let above = 0; ;) {
    const page = await store.fieldsUp(db, filter, { above, last, limit: NAMES_PAGE });
    if (!page) return [...names];
    page.names.forEach((name) => names.add(name));
    above = page.last;
  }
}

function rowOf(one: Submission, fields: readonly string[]): string {
  const values = new Map(one.fields.map(({ name, values: all }) => [name, all.join('; ')]));
  return csvRow([...COLUMNS.map(([, cell]) => cell(one)), ...fields.map((name) => values.get(name) ?? '')]);
}
