/**
 * Making, changing and deleting venues and organizers. One of the same name is taken over instead of making another:
 * what was said anew is written to it if the caller may change it. The row and the domain event commit together.
 */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Db } from '@sevenfold/chassis/db/sql';
import { readArgs } from '@sevenfold/chassis/http/read-args';
import { inTurns } from '@sevenfold/text/steps';
import { cleanText } from '@sevenfold/text/text';
import { readAuthor } from '../content/authors';
import { type Clock, type Common, type Settled, follow, retrying } from '@sevenfold/publishing/course';
import type { PublicationDates } from '../common/dates';
import { given, written } from '../common/fields';
import { isFetched, resolveImage } from '../content/images';
import { explain, nextId } from '../common/inline';
import { canEdit, canRead, refuseDelete, refuseEdit } from '../common/policy';
import { settleRow, settleTrash } from '../common/settle-row';
import { readingBody } from '../common/bodies';
import { readWebsite } from '../common/urls';
import type { Deps } from '../deps';
import { inTrash, notFound } from './errors';
import type { LinkedKind } from './kind';
import { type LinkedRow, plainFields } from './fields';
import { type Told, tell } from './news';
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

/** Whose body it is. */
interface Asker {
  readonly actor: Actor;
  /** The argument that faults are told of; absent: each its own. */
  readonly param?: string;
  /** The author as it is. */
  readonly current?: number;
}

/** What a body says, but for its picture: one at an address is fetched and kept, which is to happen once nothing else is wrong. */
export interface Prepared<T> {
  readonly fetches: boolean;
  readonly finish: () => Promise<T>;
}

/** Reads checked arguments, and asks the content service for author and picture; outside of any transaction. */
export const prepare = async <R extends LinkedRow>(
  deps: Deps,
  kind: LinkedKind<R>,
  args: Readonly<Record<string, unknown>>,
  asker: Asker,
): Promise<LinkedData> => (await begin(deps, kind, args, asker)).finish();

async function begin<R extends LinkedRow>(
  deps: Deps,
  kind: LinkedKind<R>,
  args: Readonly<Record<string, unknown>>,
  asker: Asker,
): Promise<Prepared<LinkedData>> {
  const text = (name: string): string | undefined => args[name] as string | undefined;
  const fields: Record<string, unknown> = {
    ...given(written(plainFields, args)),
    ...kind.ownFields(args),
  };
  const [name, description, website] = [text(kind.one), text('description'), text('website')];
  if (description !== undefined) {
    const { raw, html } = await inTurns(readingBody(asker.actor, description, await deps.known.sources()));
    Object.assign(fields, { descriptionRaw: raw, descriptionHtml: html });
  }
  if (website !== undefined) fields.website = readWebsite(website) ?? '';
  const author = await readAuthor(deps, args.author as number | undefined, asker);
  if (author !== undefined) fields.author = author;
  const finish = async (): Promise<LinkedData> => {
    const imageId = await resolveImage(deps, args.image, asker);
    if (imageId !== undefined) fields.imageId = imageId;
    return {
      name: name === undefined ? undefined : cleanText(name),
      status: text('status') || undefined,
      dates: { date: args.date, date_utc: args.date_utc } as PublicationDates,
      fields,
    };
  };
  return { fetches: isFetched(args.image), finish };
}

/** The same for data inside another body; their faults become one fault of the argument `param`. */
export async function beginInline<R extends LinkedRow>(
  deps: Deps,
  kind: LinkedKind<R>,
  raw: Readonly<Record<string, unknown>>,
  asker: Asker & { readonly param: string },
): Promise<Prepared<NamedData>> {
  const { args } = explain(asker.param, () => {
    const read = readArgs(kind.args.create, raw);
    // What does not go together is found before anything is written.
    kind.settle(kind.ownFields(read.args), undefined);
    return read;
  });
  return (await begin(deps, kind, args, asker)) as Prepared<NamedData>;
}

export async function create<R extends LinkedRow>(
  deps: Deps,
  kind: LinkedKind<R>,
  data: NamedData,
  actor: Actor,
): Promise<R> {
  // Read before: whoever waits for it with a connection in hand may wait for another one.
  const clock = await clockOf(deps);
  const id = await commit(deps, (tx) => findOrCreate(tx, clock, kind, data, actor));
  return get(deps, kind, id);
}

/** Id of the one that the data mean. The lock keeps two writers of a name from making it twice. */
export async function findOrCreate<R extends LinkedRow>(
  tx: Db,
  clock: Clock,
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
    if (saysSomething(news))
      await announce(tx, kind, await change(tx, clock, kind, own, news, actor), own.status);
    return own.id;
  }
  const same = namesakes.find((row) => canRead(actor, row));
  return same ? same.id : insert(tx, clock, kind, data, actor);
}

const saysSomething = ({ status, slug, dates, fields }: LinkedData): boolean =>
  [status, slug, dates.date, dates.date_utc, ...Object.values(fields)].some((value) => value !== undefined);

async function insert<R extends LinkedRow>(
  tx: Db,
  clock: Clock,
  kind: LinkedKind<R>,
  data: NamedData,
  actor: Actor,
): Promise<number> {
  const id = await nextId(tx);
  const columns = await settled(tx, clock, kind, { id, name: data.name }, undefined, data, actor);
  await store.insert(tx, kind, {
    id,
    author: actor.id,
    name: data.name,
    ...columns,
    ...data.fields,
    ...kind.settle(data.fields, undefined),
  });
  await announce(tx, kind, { id, ...columns });
  return id;
}

export async function update<R extends LinkedRow>(
  deps: Deps,
  kind: LinkedKind<R>,
  id: number,
  data: LinkedData,
  actor: Actor,
): Promise<R> {
  const clock = await clockOf(deps);
  await commit(deps, (tx) =>
    follow(tx, actor, {
      ...courseOf(kind, id),
      refuse: (subject) => refuseEdit(kind.one)({ actor, subject }),
      settle: (_tx, current) => change(tx, clock, kind, current, data, actor),
    }),
  );
  return get(deps, kind, id);
}

/** `current` is locked. Answers its status from now on. */
async function change<R extends LinkedRow>(
  tx: Db,
  clock: Clock,
  kind: LinkedKind<R>,
  current: R,
  data: LinkedData,
  actor: Actor,
): Promise<Told> {
  const { id } = current;
  const name = data.name ?? current.name;
  const changes = await settled(tx, clock, kind, { id, name }, current, data, actor);
  await store.update(tx, kind, id, {
    name,
    ...changes,
    ...data.fields,
    ...kind.settle(data.fields, current),
  });
  return { id, status: changes.status, slug: changes.slug };
}

async function settled<R extends LinkedRow>(
  tx: Db,
  clock: Clock,
  { one, many }: LinkedKind<R>,
  { id, name }: { readonly id: number; readonly name: string },
  current: R | undefined,
  { status, slug, dates }: LinkedData,
  actor: Actor,
): Promise<Settled> {
  const asked = { status, slug, dates, title: name };
  return settleRow(tx, { one, table: many, id }, current, asked, { actor, ...clock });
}

/** To the trash; what is there already is gone for whoever deletes it. */
export async function trash<R extends LinkedRow>(
  deps: Deps,
  kind: LinkedKind<R>,
  id: number,
  actor: Actor,
): Promise<R> {
  const clock = await clockOf(deps);
  await commit(deps, (tx) =>
    follow(tx, actor, {
      ...courseOf(kind, id),
      refuse: (subject) => refuseDelete(kind.one)({ actor, subject }),
      settle: async (_tx, current) => {
        if (current.status === 'trash') throw inTrash(kind);
        const changes = await settleTrash(tx, kind.many, current, current.name, clock);
        await store.update(tx, kind, id, changes);
        return { id, status: 'trash', slug: '' };
      },
    }),
  );
  return get(deps, kind, id);
}

/** What is the same for every write of one that is there. */
const courseOf = <R extends LinkedRow>(kind: LinkedKind<R>, id: number): Common<R, Told> => ({
  lock: (tx) => store.lockById(tx, kind, id),
  gone: () => notFound(kind),
  announce: (tx, before, after) => announce(tx, kind, after, before.status),
});

/** Shows what was scheduled for a moment that has come. */
export async function publishDue(deps: Deps, kind: LinkedKind<never>): Promise<void> {
  const published = await deps.db.transaction(async (tx) => {
    const due = await store.publishDue(tx, kind);
    for (const one of due) await announce(tx, kind, { ...one, status: 'publish' }, 'future');
    return due;
  });
  if (published.length > 0) deps.memory.forget('linked');
}

async function get<R extends LinkedRow>(deps: Deps, kind: LinkedKind<R>, id: number): Promise<R> {
  const row = await store.findById(deps.db, kind, id);
  if (!row) throw notFound(kind);
  return row;
}

const clockOf = async (deps: Deps): Promise<Clock> => ({
  now: new Date(),
  timezone: await deps.known.timezone(),
});

/** The message of the commit reaches this process a moment later; its own next read must not wait for that. */
const commit = <T>(deps: Deps, work: (tx: Db) => Promise<T>): Promise<T> =>
  retrying(deps.db, work, () => deps.memory.forget('linked'));

function announce(tx: Db, { one }: Pick<LinkedKind, 'one'>, row: Told, before = ''): Promise<void> {
  const gone = row.status === 'trash' && before !== 'trash';
  return tell(tx, one, gone ? 'deleted' : 'changed', row, before);
}
