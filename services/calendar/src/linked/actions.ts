/**
 * Making, changing and deleting venues and organizers. One of the same name is taken over instead of making another:
 * what was said anew is written to it if the caller may change it. The row and the domain event commit together.
 */
import type { Actor } from '@sevenfold/chassis/actor';
import { emit } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { mapConstraint } from '@sevenfold/chassis/errors';
import { readArgs } from '@sevenfold/chassis/http/args';
import { denied } from '@sevenfold/chassis/http/allow';
import { toLocal } from '@sevenfold/text/dates';
import { cleanText } from '@sevenfold/text/text';
import { readAuthor } from '../common/authors';
import { settlePublication, sqlUtc } from '@sevenfold/publishing/dates';
import { type PublicationDates, wantedDate } from '../common/dates';
import { resolveImage } from '../content/images';
import { explain, nextId } from '../common/inline';
import { canEdit, canRead, mayDelete, mayEdit } from '../common/policy';
import { settleSlug } from '../common/slugs';
import { scaleStatus } from '../common/status-scaling';
import { readBody } from '../common/texts';
import { readWebsite } from '../common/urls';
import type { Deps } from '../deps';
import { inTrash, notFound, slugTaken } from './errors';
import type { LinkedKind } from './kinds';
import type { LinkedRow } from './rows';
import * as store from './store';

/** What a body says, made safe and ready to be written; absent is what it does not mention. */
export interface LinkedData {
  readonly name?: string;
  readonly status?: string;
  readonly slug?: string;
  readonly dates: PublicationDates;
  /** Columns. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export type NamedData = LinkedData & { readonly name: string };

export interface Asker {
  readonly actor: Actor;
  readonly requestId?: string;
}

/** Reads checked arguments, and asks the content service for picture and author; outside of any transaction. */
export async function prepare<R extends LinkedRow>(
  deps: Deps,
  kind: LinkedKind<R>,
  args: Readonly<Record<string, unknown>>,
  asker: Asker & { readonly param?: string },
): Promise<LinkedData> {
  const text = (name: string): string | undefined => args[name] as string | undefined;
  const fields: Record<string, unknown> = { ...kind.ownFields(args) };
  const [name, description, website] = [text(kind.one), text('description'), text('website')];
  if (description !== undefined) {
    const { raw, html } = readBody(asker.actor, description);
    Object.assign(fields, { descriptionRaw: raw, descriptionHtml: html });
  }
  if (website !== undefined) fields.website = readWebsite(website) ?? '';
  if (text('phone') !== undefined) fields.phone = cleanText(text('phone') as string);
  const [author, imageId] = await Promise.all([
    readAuthor(deps, args.author as number | undefined, asker),
    resolveImage(deps, args.image, asker),
  ]);
  if (author !== undefined) fields.author = author;
  if (imageId !== undefined) fields.imageId = imageId;
  return {
    name: name === undefined ? undefined : cleanText(name),
    status: text('status') || undefined,
    dates: { date: args.date, date_utc: args.date_utc } as PublicationDates,
    fields,
  };
}

/** The same for data inside another body; their faults become one fault of the argument `param`. */
export async function prepareInline<R extends LinkedRow>(
  deps: Deps,
  kind: LinkedKind<R>,
  raw: Readonly<Record<string, unknown>>,
  asker: Asker & { readonly param: string },
): Promise<NamedData> {
  const { args } = explain(asker.param, () => {
    const read = readArgs(kind.args.create, raw);
    // What does not go together is found before anything is written.
    kind.settle(kind.ownFields(read.args), undefined);
    return read;
  });
  return (await prepare(deps, kind, args, asker)) as NamedData;
}

export async function create<R extends LinkedRow>(
  deps: Deps,
  kind: LinkedKind<R>,
  data: NamedData,
  actor: Actor,
): Promise<R> {
  const id = await commit(deps, kind, (tx) => findOrCreate(tx, deps, kind, data, actor));
  return get(deps, kind, id);
}

/** Id of the one that the data mean. The lock keeps two writers of a name from making it twice. */
export async function findOrCreate<R extends LinkedRow>(
  tx: Db,
  deps: Deps,
  kind: LinkedKind<R>,
  data: NamedData,
  actor: Actor,
): Promise<number> {
  await store.lockNames(tx, kind, [data.name]);
  const namesakes = await store.lockByName(tx, kind, data.name);
  const own = namesakes.find((row) => canEdit(actor, row));
  if (own) {
    // The name is the same but for its case: it stays as it was written first.
    const { name: _name, ...news } = data;
    if (saysSomething(news)) await change(tx, deps, kind, own, news, actor);
    return own.id;
  }
  const same = namesakes.find((row) => canRead(actor, row));
  return same ? same.id : insert(tx, deps, kind, data, actor);
}

const saysSomething = ({ status, slug, dates, fields }: LinkedData): boolean =>
  [status, slug, dates.date, dates.date_utc, ...Object.values(fields)].some((value) => value !== undefined);

async function insert<R extends LinkedRow>(
  tx: Db,
  deps: Deps,
  kind: LinkedKind<R>,
  data: NamedData,
  actor: Actor,
): Promise<number> {
  const { timezone, now, modified } = await clockOf(deps);
  const id = await nextId(tx);
  const publication = settlePublication(
    undefined,
    scaleStatus(actor, data.status),
    wantedDate(data.dates, timezone, now),
    now,
    timezone,
  );
  const { status } = publication;
  const space = { table: kind.many, id };
  await store.insert(tx, kind, {
    id,
    author: actor.id,
    name: data.name,
    slug: await settleSlug(tx, space, { status, asked: data.slug, title: data.name }),
    statusBeforeTrash: status === 'trash' ? 'draft' : '',
    ...publication,
    ...modified,
    ...data.fields,
    ...kind.settle(data.fields, undefined),
  });
  await announce(tx, kind, id, status, '');
  return id;
}

export async function update<R extends LinkedRow>(
  deps: Deps,
  kind: LinkedKind<R>,
  id: number,
  data: LinkedData,
  actor: Actor,
): Promise<R> {
  await commit(deps, kind, async (tx) => {
    const current = await lock(tx, kind, id);
    // The right was found by what the row was when it was loaded; by now it may be something else.
    refuse(mayEdit(kind.one)({ actor, subject: current }), actor);
    await change(tx, deps, kind, current, data, actor);
  });
  return get(deps, kind, id);
}

/** `current` is locked. */
async function change<R extends LinkedRow>(
  tx: Db,
  deps: Deps,
  kind: LinkedKind<R>,
  current: R,
  data: LinkedData,
  actor: Actor,
): Promise<void> {
  const { timezone, now, modified } = await clockOf(deps);
  const asked = scaleStatus(actor, data.status, current);
  const publication = settlePublication(current, asked, wantedDate(data.dates, timezone, now), now, timezone);
  const { status } = publication;
  if (status === 'trash' && current.status !== 'trash')
    refuse(mayDelete(kind.one)({ actor, subject: current }), actor);
  const name = data.name ?? current.name;
  const space = { table: kind.many, id: current.id };
  await store.update(tx, kind, current.id, {
    name,
    slug: await settleSlug(tx, space, { current, status, asked: data.slug, title: name }),
    statusBeforeTrash: beforeTrash(current, status),
    ...publication,
    ...modified,
    ...data.fields,
    ...kind.settle(data.fields, current),
  });
  await announce(tx, kind, current.id, status, current.status);
}

const beforeTrash = (current: LinkedRow, status: string): string =>
  status !== 'trash' ? '' : current.status === 'trash' ? current.statusBeforeTrash : current.status;

/** To the trash; what is there already is gone for whoever deletes it. */
export async function trash<R extends LinkedRow>(
  deps: Deps,
  kind: LinkedKind<R>,
  id: number,
  actor: Actor,
): Promise<R> {
  await commit(deps, kind, async (tx) => {
    const current = await lock(tx, kind, id);
    refuse(mayDelete(kind.one)({ actor, subject: current }), actor);
    if (current.status === 'trash') throw inTrash(kind);
    const { modified } = await clockOf(deps);
    const slug = await settleSlug(
      tx,
      { table: kind.many, id },
      { current, status: 'trash', title: current.name },
    );
    await store.update(tx, kind, id, {
      status: 'trash',
      statusBeforeTrash: current.status,
      slug,
      ...modified,
    });
    await announce(tx, kind, id, 'trash', current.status);
  });
  return get(deps, kind, id);
}

/** Shows what was scheduled for a moment that has come. */
export async function publishDue(deps: Deps, kind: LinkedKind<never>): Promise<void> {
  const ids = await deps.db.transaction(async (tx) => {
    const due = await store.publishDue(tx, kind);
    for (const id of due) await announce(tx, kind, id, 'publish', 'future');
    return due;
  });
  if (ids.length > 0) deps.memory.forget('linked');
}

async function get<R extends LinkedRow>(deps: Deps, kind: LinkedKind<R>, id: number): Promise<R> {
  const row = await store.findById(deps.db, kind, id);
  if (!row) throw notFound(kind);
  return row;
}

async function lock<R extends LinkedRow>(tx: Db, kind: LinkedKind<R>, id: number): Promise<R> {
  const row = await store.lockById(tx, kind, id);
  if (!row) throw notFound(kind);
  return row;
}

function refuse(denial: Parameters<typeof denied>[0] | undefined, actor: Actor): void {
  if (denial) throw denied(denial, actor);
}

async function clockOf(deps: Deps): Promise<{
  timezone: string;
  now: Date;
  modified: { modifiedLocal: string; modifiedUtc: string };
}> {
  const timezone = await deps.known.timezone();
  const now = new Date();
  return { timezone, now, modified: { modifiedLocal: toLocal(now, timezone), modifiedUtc: sqlUtc(now) } };
}

async function commit<T>(
  deps: Deps,
  kind: Pick<LinkedKind, 'one' | 'many' | 'article'>,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  const result = await mapConstraint({ [`${kind.many}_slug`]: () => slugTaken(kind) }, () =>
    deps.db.transaction(work),
  );
  // The message of the commit reaches this process a moment later; its own next read must not wait for that.
  deps.memory.forget('linked');
  return result;
}

/** Tells the other services. */
function announce(
  tx: Db,
  { one }: Pick<LinkedKind, 'one'>,
  id: number,
  status: string,
  before: string,
): Promise<void> {
  const gone = status === 'trash' && before !== 'trash';
  return emit(tx, `calendar.${one}.${gone ? 'deleted' : 'changed'}`, { id, status, before_status: before });
}
