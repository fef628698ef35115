/** However the events of an import lie in batches and groups, what comes of them is what comes of them one after the other. */
import fc from 'fast-check';
import type { Activity, AppliedBatch } from '@sevenfold/proto/gen/sevenfold/calendar/v1/import';
import { type CalendarSite, startCalendar } from '../testing/service';
import { applyBatches } from './apply-batches';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());

type Raw = Record<string, unknown>;
interface Import {
  readonly origin: string;
  readonly authority: string;
  /** Each by itself, before the others. */
  readonly first: readonly Raw[];
  /** What people did then with some, by their uids. */
  readonly people: readonly (readonly [uid: string, sql: string])[];
  readonly batches: readonly (readonly Raw[])[];
}

const maybe = <T>(...values: T[]) => fc.constantFrom(undefined, undefined, ...values);
const link = (name: string, ...more: Raw[]) =>
  fc.record({
    [name]: fc.constantFrom('Zq Hall', 'zq hall', 'Zq Room', 'ZQ ΠΟΛΙΣ', 'Zq İz', 'zq iz'),
    global_id: maybe('zq-1', 'zq-2', 'zq-3'),
    city: maybe('', 'Lyon', 'Nice'),
    phone: maybe('', '1', '2'),
    description: maybe('a', 'b'),
    ...Object.assign({}, ...more),
  });
const event: fc.Arbitrary<Raw> = fc.record({
  title: fc.constantFrom('Zq Talk', 'Zq Walk', '<b>Zq</b> "Song"', ''),
  uid: fc.constantFrom(undefined, 'zq-u1', 'zq-u1 <a>', 'zq-u1 <b>', 'zq-u2', 'zq-u3'),
  global_id: maybe('zq-g1', 'zq-g2'),
  parent_uid: maybe('zq-u1', 'zq-u2'),
  start_date: fc.constantFrom('2031-05-01', '2031-05-02 10:00:00'),
  end_date: maybe('2031-05-03'),
  all_day: maybe(true, false),
  timezone: maybe('Europe/Brussels'),
  description: maybe('', 'Words', '<i>More</i>'),
  excerpt: maybe('', 'Short'),
  cost: maybe('', '5', '$7'),
  url: maybe('', 'http://a.example/1', 'no address'),
  image: maybe('http://pictures.test/1.png', 'http://pictures.test/2.png'),
  featured: maybe<unknown>(true, false, 'neither'),
  show_map: maybe('1', '0'),
  global_id_lineage: maybe(['a'], []),
  categories: maybe<unknown>(null, [], ['Zq one'], ['zq ONE', 'Zq two']),
  tags: maybe<unknown>('', 'zq three, zq four'),
  venue: fc.oneof(maybe<unknown>(null, '', 'ZQ HALL'), link('venue')),
  organizer: fc.oneof(maybe<unknown>(null, []), fc.array(link('organizer'), { maxLength: 3 })),
}) as fc.Arbitrary<Raw>;

const PEOPLE = [
  `status = 'trash'`,
  `status = 'calendar-ignored'`,
  `title_raw = 'Mine', title_html = 'Mine', edited = '{title}'`,
  `description_raw = '', description_html = '', edited = '{description}'`,
  `description_raw = 'Mine', description_html = 'Mine', edited = '{cost,description}'`,
  `venue_id = 0, organizer_ids = '{}', edited = '{organizer_ids,venue_id}'`,
];
const imports: fc.Arbitrary<Import> = fc.record({
  origin: fc.constantFrom('ics', 'url'),
  authority: fc.constantFrom('overwrite', 'fill', 'leave'),
  first: fc.array(event, { maxLength: 3 }),
  people: fc.array(fc.tuple(fc.constantFrom('zq-u1', 'zq-u2', 'zq-u3'), fc.constantFrom(...PEOPLE)), {
    maxLength: 2,
  }),
  batches: fc.array(fc.array(event, { maxLength: 4 }), { minLength: 1, maxLength: 3 }),
});

let runs = 0;
/** Of one way to bring an import, which must not meet the other: names of the same length that nobody else has. */
const sideOf = (run: number, way: string): string => `q${String(run).padStart(4, '0')}${way}`;
const named = <T>(value: T, side: string): T =>
  JSON.parse(
    JSON.stringify(value).replace(/zq/gi, (zq) =>
      zq === 'zq' ? side : zq === 'Zq' ? `Q${side.slice(1)}` : side.toUpperCase(),
    ),
  ) as T;
const unnamed = <T>(value: T, side: string): T =>
  JSON.parse(
    JSON.stringify(value).replace(new RegExp(side, 'gi'), (found) =>
      found === side ? 'zq' : found === side.toUpperCase() ? 'ZQ' : 'Zq',
    ),
  ) as T;

const ownerOf = (run: number, way: string): number => 100_000 + 2 * run + (way === 'a' ? 0 : 1);

/** What each batch is told, made of the answers to each of its events. */
type Told = Pick<AppliedBatch, 'skipped'> & Record<Kind, Activity>;
const KINDS = ['events', 'venues', 'organizers', 'categories', 'tags'] as const;
type Kind = (typeof KINDS)[number];

function together(answers: readonly AppliedBatch[]): Told {
  const told = (kind: Kind): Activity => {
    const all = (action: keyof Activity): number[] => [
      ...new Set(answers.flatMap((answer) => answer[kind]?.[action] ?? [])),
    ];
    const created = all('created');
    return {
      created,
      updated: all('updated').filter((id) => !created.includes(id)),
      skipped: all('skipped'),
    };
  };
  return {
    ...(Object.fromEntries(KINDS.map((kind) => [kind, told(kind)])) as Record<Kind, Activity>),
    skipped: answers.flatMap(({ skipped }, index) => skipped.map((one) => ({ ...one, index }))),
  };
}

const COLUMNS = `title_raw, title_html, description_raw, description_html, excerpt_raw, excerpt_html, cost, cost_details, website,
  featured, show_map, start_local, end_local, start_utc, end_utc, timezone, all_day, global_id, global_id_lineage, uid, image_source,
  status, slug, edited, origin, id, parent_uid, parent, venue_id, organizer_ids, category_ids, tag_ids`;
const LINKED = 'id, name, slug, global_id, phone, description_raw, status';

/** Everything of one owner, with ids in the order of their making. */
async function state(owner: number, told: readonly Told[]): Promise<unknown> {
  const { db } = site.deps;
  const all = async (table: string, columns: string): Promise<Raw[]> =>
    db.rows<Raw>(`select ${columns} from ${table} where author = $1 order by id`, [owner]);
  const events = await all('events', COLUMNS);
  const venues = await all('venues', `${LINKED}, city`);
  const organizers = await all('organizers', LINKED);
  const terms = new Map(
    (await site.content.deps.db.rows<{ id: number; name: string }>('select id, name from terms')).map(
      ({ id, name }) => [id, name],
    ),
  );
  const places = (rows: readonly Raw[]) => new Map(rows.map(({ id }, place) => [id as number, place + 1]));
  const placesOf = {
    events: places(events),
    venues: places(venues),
    organizers: places(organizers),
    categories: terms,
    tags: terms,
  };
  const inOrder = (kind: Kind, ids: readonly number[]) =>
    ids.map((id) => placesOf[kind].get(id) ?? `none: ${id}`).sort();
  const known = (kind: Kind, ids: unknown) =>
    (ids as number[]).map((id) => placesOf[kind].get(id) ?? `none: ${id}`);
  return {
    events: events.map((row) => ({
      ...row,
      id: undefined,
      parent: row.parent === 0 ? 0 : known('events', [row.parent]),
      venue_id: row.venue_id === 0 ? 0 : known('venues', [row.venue_id]),
      organizer_ids: known('organizers', row.organizer_ids),
      category_ids: known('categories', row.category_ids),
      tag_ids: known('tags', row.tag_ids),
    })),
    venues: venues.map((row) => ({ ...row, id: undefined })),
    organizers: organizers.map((row) => ({ ...row, id: undefined })),
    told: told.map((one) => ({
      skipped: one.skipped,
      ...Object.fromEntries(
        KINDS.map((kind) => [
          kind,
          Object.fromEntries(
            Object.entries(one[kind]).map(([action, ids]) => [action, inOrder(kind, ids as number[])]),
          ),
        ]),
      ),
    })),
  };
}

/** Brings an import under names of its own; `a`: all batches at once, `b`: each event alone. */
async function bring(wanted: Import, run: number, way: 'a' | 'b'): Promise<unknown> {
  const side = sideOf(run, way);
  const { origin, authority, first, people, batches } = named(wanted, side);
  const owner = ownerOf(run, way);
  let calls = 0;
  const apply = (some: readonly (readonly Raw[])[]): Promise<AppliedBatch[]> =>
    applyBatches(site.deps, {
      importId: side,
      origin,
      defaultStatus: 'publish',
      owner,
      authority,
      batches: some.map((events) => ({ key: `${side}/${(calls += 1)}`, eventsJson: JSON.stringify(events) })),
    });
  for (const one of first) await apply([[one]]);
  for (const [uid, sql] of people) await site.deps.db.run(`update events set ${sql} where uid = $1`, [uid]);
  const told: Told[] = [];
  if (way === 'a') told.push(...(await apply(batches)).map((answer) => asTold(answer)));
  else
    for (const batch of batches) {
      const answers: AppliedBatch[] = [];
      for (const one of batch) answers.push(...(await apply([[one]])));
      told.push(together(answers));
    }
  return unnamed(await state(owner, told), side);
}

const asTold = (answer: AppliedBatch): Told => ({ ...together([answer]), skipped: answer.skipped });

test('all at once is as one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(imports, async (wanted) => {
      const run = (runs += 1);
      const atOnce = await bring(wanted, run, 'a');
      expect(atOnce).toEqual(await bring(wanted, run, 'b'));
    }),
    // To shrink what failed would take minutes.
    { numRuns: 60, endOnFailure: true },
  );
}, 300_000);
