/**
 * Submissions as CSV or JSON lines, page by page: at no moment is more than a page in memory, whatever their number. What
 * comes in after the beginning is not in it.
 */
import { invalidParam } from '@sevenfold/chassis/errors';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Submission } from '@sevenfold/proto/gen/sevenfold/forms/v1/submission';
import * as uploads from '../uploads/store';
import { csvRow } from '@sevenfold/text/csv';
import { shownSubmission } from '@sevenfold/proto/shown/submission';
import { present } from './presenter';
import * as store from './store';

export type Format = 'csv' | 'jsonl';

export interface ExportOptions {
  readonly format: Format;
  readonly byteOrderMark?: boolean;
  /** Where an earlier one ended. */
  readonly cursor?: string;
}

export interface Piece {
  readonly text: string;
  /** Goes on behind this piece. */
  readonly cursor: string;
}

const PAGE = { limit: 500, bytes: 1_000_000 };
/** Of large ones, too, some seconds. */
const NAMES_PAGE = 1_000;

/** All that a whole has in common: its columns, and where it ends and where it is. */
interface Place {
  readonly above: number;
  readonly last: number;
  readonly fields: readonly string[];
}

/** Pieces of the text. Whoever stops reading stops the work. */
export async function* exportSubmissions(
  db: Db,
  filter: store.Filter,
  { format, byteOrderMark = false, cursor = '' }: ExportOptions,
): AsyncGenerator<Piece> {
  const begin = async (): Promise<Place> => {
    const last = await store.lastId(db);
    return { above: 0, last, fields: format === 'csv' ? await fieldNames(db, filter, last) : [] };
  };
  const place = cursor === '' ? await begin() : readCursor(cursor);
  const { last, fields } = place;
  const at = (above: number): string => writeCursor({ above, last, fields });
  if (format === 'csv' && cursor === '') {
    const head = csvRow([...COLUMNS.map(([name]) => name), ...fields]);
    yield { text: (byteOrderMark ? '\ufeff' : '') + head, cursor: at(0) };
  }
  const lineOf = (one: Submission): string =>
    format === 'csv' ? rowOf(one, fields) : `${JSON.stringify(shownSubmission(one))}\n`;
  for await (const page of pages(db, filter, place))
    yield { text: page.map(lineOf).join(''), cursor: at((page.at(-1) as Submission).id) };
}

const writeCursor = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url');

function readCursor(text: string): Place {
  try {
    const place = JSON.parse(Buffer.from(text, 'base64url').toString()) as Place;
    const { above, last, fields } = place;
    if ([above, last].every(Number.isSafeInteger) && fields.every((name) => typeof name === 'string'))
      return place;
  } catch {
    // It is none of ours.
  }
  throw invalidParam('cursor', 'cursor is what an earlier piece came with.');
}

async function* pages(db: Db, filter: store.Filter, { above, last }: Place): AsyncGenerator<Submission[]> {
  for (;;) {
    const { rows, more } = await store.listUp(db, filter, { above, last, ...PAGE });
    const files = await uploads.ofSubmissions(
      db,
      rows.map(({ id }) => id),
    );
    if (rows.length > 0) yield rows.map((row) => present(row, files));
    if (!more) return;
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
