/** Statuses of an export's items as they are here. */
import { fromSqlUtc } from '@sevenfold/publishing/dates';
import type { ExportedItem } from './exported';
import { metaOf } from './exported';

const STATUSES: ReadonlySet<string> = new Set(['publish', 'future', 'draft', 'pending', 'private', 'trash']);
/** Those of imported events carry the name of their site's plugin. */
const OF_IMPORTS = /^[a-z]+-(ea-(?:success|failed|schedule|pending|draft)|ignored)$/;

/** Undefined: such items are not moved. */
export function statusOf(item: ExportedItem, dateGmt: string): string | undefined {
  const ofImports = OF_IMPORTS.exec(item.status)?.[1];
  if (ofImports !== undefined) return `calendar-${ofImports}`;
  if (!STATUSES.has(item.status)) return undefined;
  // A schedule that has passed is a publication that nobody missed.
  const isPast = fromSqlUtc(dateGmt).getTime() <= Date.now();
  return item.status === 'future' && isPast ? 'publish' : item.status;
}

export const statusOfFile = (item: ExportedItem): string =>
  item.status === 'private' || item.status === 'trash' ? item.status : 'inherit';

/** Of what is in the trash. */
export function beforeTrash(item: ExportedItem): string {
  const noted = metaOf(item, '_wp_trash_meta_status');
  if (item.type === 'attachment') return noted === 'private' ? 'private' : 'inherit';
  return STATUSES.has(noted) && noted !== 'trash' && noted !== 'future' ? noted : 'draft';
}
