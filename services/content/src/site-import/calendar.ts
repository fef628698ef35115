/**
 * Events, venues and organizers of an export: they belong to the calendar, which is handed what the export says of each. It
 * makes each once and knows how it left it, so an import that ended between its answer and the note here only has to ask again.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '@sevenfold/chassis/errors';
import type { CallOptions } from '@sevenfold/chassis/grpc/dial';
import { isOutage } from '@sevenfold/chassis/grpc/errors';
import { raiseSequence } from '@sevenfold/publishing/kept-ids';
import { isUnfinished } from '@sevenfold/publishing/statuses';
import type { Links } from '@sevenfold/proto/gen/sevenfold/calendar/v1/site_import';
import { authorOf } from './authors';
import { type Calendar, type ImportCall, DEADLINE_MS } from './call';
import { dateOf, modifiedOf } from './dates';
import { type ExportedItem, metaOf } from './exported';
import { claimOdd, findImported, findKnown, ids, noteImported } from './identities';
import { importTerms } from './item-terms';
import { identityOf, isNews } from './items';
import { CHANGED_HERE, leftAt, seenOf } from './marks';
import { type LinkName, dropPending, notePending } from './pending';
import { placeOf } from './places';
import { beforeTrash, statusOf } from './statuses';
import { numberOf } from './survey';

export type CalendarKind = 'event' | 'venue' | 'organizer';

/** Exports name their types after what made them: `…_events`, `…_venue`, `…_organizer`. */
export function calendarKindOf(type: string): CalendarKind | undefined {
  if (type.endsWith('_events')) return 'event';
  if (type.endsWith('_venue')) return 'venue';
  return type.endsWith('_organizer') ? 'organizer' : undefined;
}

const PATIENCE = [100, 300, 1_000, 3_000, 5_000, 10_000];

/** A calendar that is being started again is worth some seconds; then the import ends, and can go on later. */
export async function askCalendar<T>(
  calendar: Calendar,
  ask: (calendar: Calendar, options: CallOptions) => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await ask(calendar, { deadlineMs: DEADLINE_MS });
    } catch (error) {
      const pause = PATIENCE[tries];
      if (!(error instanceof ApiError && isOutage(error)) || pause === undefined) throw error;
      await wait(pause);
    }
  }
}

/** What is new from now on has numbers above this one, in both services that share them. */
export async function raiseItems(call: ImportCall, above: number): Promise<void> {
  await raiseSequence(call.deps.db, ids.sequence, above);
  if (call.calendar)
    await askCalendar(call.calendar, (remote, options) => remote.raiseIds({ above }, options));
  call.raised = Math.max(call.raised, above);
}

export async function importCalendarItem(
  call: ImportCall,
  item: ExportedItem,
  kind: CalendarKind,
): Promise<void> {
  const { calendar, deps, report, site } = call;
  const skip = (reason: string): void =>
    report.skip({ kind, title: item.title || item.slug, line: item.line, reason });
  if (!calendar) return skip('there is no calendar here');
  const foreignId = identityOf(item);
  const known = await findKnown(deps.db, site, 'post', foreignId);
  if (known && !isNews(call, item, known, skip)) return report.countKnown(kind);
  const date = dateOf(item, call.timezone);
  const status = statusOf(item, date.gmt);
  if (status === undefined) return skip(`items with the status ${item.status || '(none)'} are not moved`);
  const terms = kind === 'event' ? await importTerms(call, item) : new Map<string, number[]>();
  const { links, missing } = await linksOf(call, item, kind);
  const wanted = numberOf(item.foreignId);
  const odd =
    wanted % 2 === 1 ? await deps.db.transaction((tx) => claimOdd(tx, call, item.foreignId)) : wanted;
  const author = await authorOf(call, item);
  const modified = modifiedOf(item, date, call.timezone);
  const { id, created, changedHere } = await askCalendar(calendar, (remote, options) =>
    remote.addItem(
      {
        site,
        foreignId,
        kind,
        id: odd ?? 0,
        status,
        statusBeforeTrash: status === 'trash' ? beforeTrash(item) : '',
        slug: item.slug,
        title: item.title,
        content: item.content,
        excerpt: item.excerpt,
        author,
        dateLocal: date.local,
        dateUtc: date.gmt,
        modifiedLocal: modified.local,
        modifiedUtc: modified.gmt,
        dateOpen: !date.isChosen && isUnfinished(status),
        leftUtc: known?.leftAs ?? '',
        meta: metaFor(item),
        sticky: item.menuOrder === '-1',
        categoryIds: terms.get('calendar_events_cat') ?? [],
        tagIds: terms.get('post_tag') ?? [],
        links,
      },
      options,
    ),
  );
  await deps.db.transaction(async (tx) => {
    if (known && !changedHere) await dropPending(tx, kind, id);
    for (const { link, target } of missing) await notePending(tx, site, kind, id, link, target);
    // Others may link to it, although it has been changed here since an earlier run that could not note it.
    if (!changedHere || !known)
      await noteImported(tx, site, {
        kind: 'post',
        type: kind,
        foreignId,
        id,
        address: placeOf(item.link),
        seen: call.isLive && !changedHere ? seenOf(item) : '',
        leftAs: changedHere ? '' : leftAt(modified.gmt),
      });
  });
  if (created) report.countCreated(kind);
  else if (known && !changedHere) report.countUpdated(kind);
  else report.countKnown(kind);
  if (changedHere) skip(CHANGED_HERE);
  if (item.comments.length > 0) skip('comments on things of the calendar are not moved');
}

/** What the calendar may know something of; the rest may be large, and is somebody else's. */
const metaFor = (item: ExportedItem): { key: string; value: string }[] =>
  [...item.meta]
    .filter(([key]) => /^_(?:Event|Venue|Organizer)|_featured$/.test(key))
    .flatMap(([key, values]) =>
      values.slice(0, 100).map((value) => ({ key, value: value.slice(0, 10_000) })),
    );

interface Missing {
  readonly link: LinkName;
  readonly target: string;
}

async function linksOf(
  call: ImportCall,
  item: ExportedItem,
  kind: CalendarKind,
): Promise<{ links: Links; missing: Missing[] }> {
  const links: Links = { venue: 0, organizers: [], image: 0, parent: 0 };
  const wanted: Missing[] = [
    { link: 'picture', target: metaOf(item, '_thumbnail_id').trim() },
    ...(kind === 'event'
      ? ([
          { link: 'venue', target: metaOf(item, '_EventVenueID').trim() },
          { link: 'organizers', target: organizersOf(item) },
          { link: 'parent', target: item.parent },
        ] as const)
      : []),
  ];
  const missing: Missing[] = [];
  for (const one of wanted) {
    if (!/[1-9]/.test(one.target)) continue;
    const found = await resolve(call, one);
    if (found) Object.assign(links, found);
    else missing.push(one);
  }
  return { links, missing };
}

/** In their order; the key comes once for each, or once with several. */
const organizersOf = (item: ExportedItem): string =>
  [...new Set((item.meta.get('_EventOrganizerID') ?? []).flatMap((value) => value.match(/\d+/g) ?? []))].join(
    ',',
  );

/** The links here, where all that they name is here. */
export async function resolve(
  { deps, site }: ImportCall,
  { link, target }: Missing,
): Promise<Partial<Links> | undefined> {
  const ids: number[] = [];
  for (const foreignId of target.split(',')) {
    const id = await findImported(deps.db, site, 'post', foreignId);
    if (id === undefined) return undefined;
    ids.push(id);
  }
  const [id = 0] = ids;
  switch (link) {
    case 'picture':
      return { image: id };
    case 'organizers':
      return { organizers: ids };
    case 'venue':
      return { venue: id };
    case 'parent':
      return { parent: id };
  }
}
