/** From rows to public revisions. Who sees one may edit its post, so no password hides anything. */
import { isoLocal } from '@sevenfold/text/dates';
import type { ContentCall } from '../deps';
import { namespaceRoot } from '../posts/links';
import { postTypes } from '../posts/types';
import type { RevisionRow } from './store';

export function presentRevision(row: RevisionRow, { deps }: Pick<ContentCall, 'deps'>): object {
  const guid = `${deps.siteUrl}/?p=${row.id}`;
  const date = isoLocal(row.dateLocal);
  const dateGmt = isoLocal(row.dateGmt);
  return {
    author: row.author,
    date,
    date_gmt: dateGmt,
    id: row.id,
    modified: date,
    modified_gmt: dateGmt,
    parent: row.parent,
    slug: `${row.parent}-revision-v1`,
    guid: { rendered: guid, raw: guid },
    title: { raw: row.titleRaw, rendered: row.titleHtml },
    content: { raw: row.contentRaw, rendered: row.contentHtml },
    excerpt: { raw: row.excerptRaw, rendered: row.excerptHtml },
    _links: {
      parent: [{ href: `${namespaceRoot(deps.root)}/${postTypes[row.parentType].restBase}/${row.parent}` }],
    },
  };
}
