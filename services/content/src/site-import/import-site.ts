/**
 * Moves a whole site in from its export: authors, terms, posts, pages, attachments (as records) and comments, with
 * statuses, passwords, sticky marks, parents and dates. Every object is noted with its identity on the other site in
 * the transaction that creates it: an interrupted import goes on where it stopped, and a repeated one adds only what is
 * new. Nothing that exists here is overwritten.
 */
import type { Deps } from '../deps';
import { importAuthor } from './authors';
import type { ImportCall } from './call';
import { importComments } from './comments';
import { finishLinks, importItem } from './items';
import { Report } from './report';
import { readExport } from './read-export';
import { finishTerms, importTerm } from './terms';

export interface ImportProgress {
  /** Records read so far; how many there are is known only at the end. */
  (records: number): void;
}

/** Answers what was created, what was there already, and what was skipped and why. */
export async function importSite(deps: Deps, file: string, progress: ImportProgress): Promise<Report> {
  const { timezone } = await deps.settings.get();
  const administrator = await deps.db.first<{ id: number }>(
    `select id from users where 'administrator' = any(roles) order by id limit 1`,
  );
  const call: ImportCall = {
    deps,
    report: new Report(),
    timezone,
    site: '',
    authors: new Map(),
    fallbackAuthor: administrator?.id ?? 0,
    terms: new Map(),
    pendingTermParents: [],
    pendingParents: [],
    pendingPictures: [],
  };
  let records = 0;
  for await (const record of readExport(file)) {
    switch (record.kind) {
      case 'site':
        call.site = record.url;
        break;
      case 'author':
        await importAuthor(call, record);
        break;
      case 'term':
        await importTerm(call, record);
        break;
      case 'item': {
        // Terms are listed before the items that carry them.
        await finishTerms(call);
        const id = await importItem(call, record);
        if (id !== undefined) await importComments(call, id, record.comments);
        break;
      }
    }
    records += 1;
    progress(records);
  }
  await finishTerms(call);
  await finishLinks(call);
  return call.report;
}
