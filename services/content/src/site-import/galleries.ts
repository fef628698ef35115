/**
 * Galleries and players show files that may have come after them, or whose addresses have changed since: texts that have any are
 * rendered anew when all is here. Doing it again changes nothing.
 */
import { renderAnew } from '../posts/render-anew';
import { retrying } from '../posts/transactions';
import { alone } from './alone';
import type { ImportCall } from './call';

const PAGE = 200;
const SHOWS_FILES = String.raw`\[(gallery|playlist|audio|video)[\s\]]`;

export async function finishGalleries(call: ImportCall): Promise<void> {
  const { deps, site, report } = call;
  for (let last = 0; ;) {
    const rows = await deps.db.rows<{ id: number }>(
      `select p.id from imported_objects i join posts p on p.id = i.id
       where i.site = $1 and i.kind = 'post' and p.type <> 'attachment' and p.id > $2 and p.content_raw ~ $3
       order by p.id limit ${PAGE}`,
      [site, last, SHOWS_FILES],
    );
    for (const { id } of rows)
      await alone(report, { kind: 'link', title: `post ${id}`, line: 0 }, () =>
        retrying(deps, (tx) => renderAnew(tx, deps, id)),
      );
    last = rows.at(-1)?.id ?? last;
    if (rows.length < PAGE) return;
  }
}
