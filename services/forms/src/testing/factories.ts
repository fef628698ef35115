/** Rows that are valid; a test states only what it is about. */
import type { Database } from '@sevenfold/chassis/db/sql';
import type { MailName } from '../forms/properties';
import { promiseMail } from '../mail/queue';
import type { NewUpload } from '../uploads/store';
import * as uploads from '../uploads/store';

export interface NewSubmission {
  readonly form: number;
  readonly status?: 'pending' | 'received' | 'spam' | 'trash';
  readonly values?: Record<string, string | string[]>;
  readonly meta?: Record<string, unknown>;
  readonly uploads?: readonly NewUpload[];
  readonly mails?: readonly MailName[];
  readonly keep?: boolean;
  readonly createdAt?: string;
}

export function makeSubmission(db: Database, row: NewSubmission): Promise<number> {
  const { form, status = 'received', values = {}, meta = {}, keep = true } = row;
  return db.transaction(async (tx) => {
    const { id } = (await tx.first<{ id: number }>(
      `insert into submissions (form_id, status, values, meta, keep, created_at, settled_at)
       values ($1, $2, $3, $4, $5, coalesce($6::timestamptz, now()), now()) returning id`,
      [form, status, JSON.stringify(values), JSON.stringify(meta), keep, row.createdAt ?? null],
    )) as { id: number };
    await uploads.insertAll(tx, id, row.uploads ?? []);
    await promiseMail(tx, id, row.mails ?? []);
    return id;
  });
}
