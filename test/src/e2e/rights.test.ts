/**
 * One table of questions, asked of content and of the calendar: who may read, edit and delete what, by status, owner and
 * what it was before the trash; and whether lists and their totals show exactly what may be read one by one.
 */
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';
import { makeEvent, makeVenue } from '@sevenfold/calendar/testing/factories';
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Speaker } from '@sevenfold/chassis/testing/service';
import { makePost } from '@sevenfold/content/testing/factories';
import { capabilitiesOf } from '@sevenfold/content/users/roles';

const [OWN, OTHER] = [900_001, 900_002];
const STATUSES = [
  'publish',
  'future',
  'calendar-ea-success',
  'calendar-ea-draft',
  'calendar-ignored',
  'draft',
  'pending',
  'private',
  'auto-draft',
  'inherit',
  'request-pending',
  'trash',
];
const SHOWN = ['publish', 'calendar-ea-success', 'calendar-ea-draft'];
const PUBLISHED = [...SHOWN, 'future'];

interface Row {
  readonly status: string;
  readonly before: string;
  readonly author: number;
}
const rows: readonly Row[] = [OWN, OTHER].flatMap((author) => [
  ...STATUSES.filter((status) => status !== 'trash').map((status) => ({ status, before: '', author })),
  ...['publish', 'future', 'calendar-ea-draft', 'private', 'draft', ''].map((before) => ({
    status: 'trash',
    before,
    author,
  })),
]);
const nameOf = ({ status, before, author }: Row): string =>
  `${status}${status === 'trash' ? ` (${before})` : ''}, ${author === OWN ? 'own' : "another's"}`;

// ---- the rules, written down without a look at the code ----------------------------------------------------------------

function rightsTo(act: 'read' | 'edit' | 'delete', row: Row): readonly string[] {
  if (act === 'read') {
    if (SHOWN.includes(row.status) || row.author === OWN) return [];
    return row.status === 'private' ? ['read_private'] : rightsTo('edit', row);
  }
  const was = row.status === 'trash' ? row.before : row.status;
  const needed = [PUBLISHED.includes(was) ? `${act}_published` : act];
  if (row.author === OWN) return needed;
  return [...needed, `${act}_others`, ...(was === 'private' ? [`${act}_private`] : [])];
}

const RIGHTS = [
  'edit',
  'delete',
  'publish',
  'read_private',
  ...['edit', 'delete'].flatMap((verb) => [`${verb}_others`, `${verb}_published`, `${verb}_private`]),
];

/** Roles, and everything but one right, so that no right is asked for in vain. */
const actorsOf = (kind: string): readonly [string, Actor][] => [
  ['a stranger', stranger],
  ...['author', 'contributor', 'subscriber'].map((role): [string, Actor] => [
    `the role ${role}`,
    { ...stranger, id: OWN, capabilities: capabilitiesOf([role]) },
  ]),
  ...RIGHTS.map((missing): [string, Actor] => [
    `everything but ${missing}`,
    {
      ...stranger,
      id: OWN,
      capabilities: new Set(RIGHTS.filter((right) => right !== missing).map((right) => `${right}_${kind}`)),
    },
  ]),
];

// ---- the collections ---------------------------------------------------------------------------------------------------

let site: CalendarSite;
const content = (): { db: Db; as: (actor: Actor) => Speaker } => ({
  db: site.content.deps.db,
  as: (actor) => site.content.as(actor),
});
const calendar = (): { db: Db; as: (actor: Actor) => Speaker } => ({
  db: site.deps.db,
  as: (actor) => site.as(actor),
});

interface Collection {
  readonly path: string;
  readonly table: string;
  readonly kind: string;
  readonly at: typeof content;
  readonly make: (db: Db, fields: Record<string, unknown>) => Promise<{ id: number }>;
  readonly utc: string;
  /** What makes the list show everything that there is. */
  readonly query: string;
}
const collections: readonly Collection[] = [
  {
    path: 'posts',
    table: 'posts',
    kind: 'posts',
    at: content,
    make: makePost,
    utc: 'date_gmt',
    query: 'per_page=100',
  },
  {
    path: 'events',
    table: 'events',
    kind: 'events',
    at: calendar,
    make: makeEvent,
    utc: 'date_utc',
    query: 'per_page=50&start_date=2030-01-01&end_date=2031-01-01',
  },
  {
    path: 'venues',
    table: 'venues',
    kind: 'events',
    at: calendar,
    make: makeVenue,
    utc: 'date_utc',
    query: 'per_page=50',
  },
];

beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());

describe.each(collections.map((one) => [one.path, one] as const))('%s', (_path, collection) => {
  const { path, table, kind, at, make, utc, query } = collection;
  const items: (Row & { readonly id: number })[] = [];

  beforeAll(async () => {
    for (const row of rows) {
      const { status, before, author } = row;
      const later =
        status === 'future' ? { date_local: '2099-01-01 00:00:00', [utc]: '2099-01-01 05:00:00Z' } : {};
      const fields = { status, status_before_trash: before, author, ...later };
      items.push({ ...row, id: (await make(at().db, fields)).id });
    }
  });

  /** Which of the rows the answer was for, by name. */
  const namesOf = (some: readonly (Row & { readonly id: number })[]): string[] => some.map(nameOf).sort();
  const allowed = (actor: Actor, act: 'read' | 'edit' | 'delete'): typeof items =>
    items.filter(
      (row) =>
        (actor.id !== 0 || (act === 'read' && SHOWN.includes(row.status))) &&
        rightsTo(act, row).every((right) => actor.capabilities.has(`${right}_${kind}`)),
    );
  async function permitted(actor: Actor, ask: (speaker: Speaker, id: number) => Promise<{ status: number }>) {
    const found: typeof items = [];
    const refusal = actor.id === 0 ? 401 : 403;
    for (const item of items) {
      const { status } = await ask(at().as(actor), item.id);
      // Whatever is wrong besides (it is in the trash already), the right was there.
      if (status !== refusal) found.push(item);
      if (![200, 410, refusal].includes(status)) throw new Error(`${nameOf(item)}: ${status}`);
    }
    return namesOf(found);
  }

  describe.each(actorsOf(kind))('%s', (_name, actor) => {
    const refuseEdit = actor.capabilities.has(`edit_${kind}`);

    async function listed(statuses: readonly string[], context = 'view'): Promise<string[]> {
      const answer = await at()
        .as(actor)
        .get(`/${path}?${query}&status=${statuses.join(',')}&context=${context}`);
      expect(answer.status).toBe(200);
      const list = (Array.isArray(answer.body) ? answer.body : answer.body[path]) as { id: number }[];
      const ids = new Set(list.map(({ id }) => id));
      expect([list.length, Number(answer.headers.get('x-total'))]).toEqual([ids.size, ids.size]);
      return namesOf(items.filter(({ id }) => ids.has(id)));
    }

    test('reads, and lists what it reads', async () => {
      const readable = allowed(actor, 'read');
      expect(await permitted(actor, (speaker, id) => speaker.get(`/${path}/${id}`))).toEqual(
        namesOf(readable),
      );
      const those = (...statuses: string[]): string[] =>
        namesOf(readable.filter(({ status }) => statuses.includes(status)));
      expect(await listed(['publish'])).toEqual(those('publish'));
      if (!refuseEdit) return;
      expect(await listed(STATUSES)).toEqual(namesOf(readable));
      for (const status of ['trash', 'private', 'calendar-ea-draft', 'inherit'])
        expect([status, await listed([status])]).toEqual([status, those(status)]);
      if (collection.at === content)
        expect(await listed(STATUSES, 'edit')).toEqual(namesOf(allowed(actor, 'edit')));
    });

    test('edits and deletes', async () => {
      expect(await permitted(actor, (speaker, id) => speaker.put(`/${path}/${id}`, {}))).toEqual(
        namesOf(allowed(actor, 'edit')),
      );
      expect(await permitted(actor, (speaker, id) => speaker.delete(`/${path}/${id}`))).toEqual(
        namesOf(allowed(actor, 'delete')),
      );
      await at().db.run(
        `update ${table} as t set status = w.status, status_before_trash = w.before
           from unnest($1::bigint[], $2::text[], $3::text[]) as w (id, status, before) where t.id = w.id`,
        [items.map(({ id }) => id), items.map(({ status }) => status), items.map(({ before }) => before)],
      );
    });
  });
});
