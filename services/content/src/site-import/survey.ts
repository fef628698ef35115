/**
 * A first look at an export, before anything is written: whether it is one, whose, how much there is, and up to which
 * number its things go.
 */
import { createHash } from 'node:crypto';
import { isKeepable } from '@sevenfold/publishing/kept-ids';
import { trimEnd } from '@sevenfold/text/trim';
import type { ExportedItem, ExportedRecord, ExportedSite } from './exported';
import { ExportEnds, readExport } from './read-export';
import type { Mended } from './read-text';

export interface Survey {
  /** Its identity: the address, or what stands for it where the export names none. */
  readonly site: string;
  /** Addresses that mean the site in texts. */
  readonly addresses: readonly string[];
  readonly records: number;
  /** The greatest numbers, of those that may be kept. */
  readonly greatest: { readonly item: number; readonly comment: number; readonly term: number };
  readonly mended: Mended;
}

export async function survey(
  file: string,
  named?: string,
  progress: (records: number) => void = () => undefined,
): Promise<Survey> {
  const mended = { foreignBytes: 0, controls: 0 };
  const greatest = { item: 0, comment: 0, term: 0 };
  let site: ExportedSite | undefined;
  let first: ExportedItem | undefined;
  let records = 0;
  const see = (kind: keyof typeof greatest, text: string): void => {
    const id = numberOf(text);
    if (isKeepable(id)) greatest[kind] = Math.max(greatest[kind], id);
  };
  const look = (record: ExportedRecord): void => {
    records += 1;
    progress(records);
    if (record.kind === 'site') site = record;
    if (record.kind === 'term') see('term', record.foreignId);
    if (record.kind !== 'item') return;
    first ??= record;
    see('item', record.foreignId);
    for (const { foreignId } of record.comments) see('comment', foreignId);
  };
  try {
    for await (const record of readExport(file, mended)) look(record);
  } catch (error) {
    // What there is moves in all the same; the second reading tells.
    if (!(error instanceof ExportEnds)) throw error;
  }
  const url = addressOf(named ?? site?.url ?? '');
  return {
    site: url || (named ?? identityOf(site, first)),
    addresses: url === '' ? [] : [url],
    records,
    greatest,
    mended,
  };
}

export const numberOf = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0);

const addressOf = (text: string): string =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? trimEnd(text, '/') : '';

/**
 * Without an address a site is known by its title, its description and its oldest item, which later exports of it have as
 * well: two sites without an address are two, and one stays one.
 */
function identityOf(site: ExportedSite | undefined, first: ExportedItem | undefined): string {
  const marks = [
    site?.title,
    site?.description,
    first?.foreignId,
    first?.guid,
    first?.title,
    first?.date,
    first?.creator,
  ];
  return `unnamed:${createHash('sha256').update(JSON.stringify(marks)).digest('hex').slice(0, 32)}`;
}
