/** Terms over a real gRPC connection, as the calendar asks for them. */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import type { ApiError } from '@sevenfold/chassis/errors';
import type { Remote } from '@sevenfold/chassis/grpc/dial';
import {
  type TermRef,
  TermServiceService,
  type TermServiceServer,
} from '@sevenfold/proto/gen/sevenfold/content/v1/terms';
import { makeTerm, makeUser } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import { resolveTerms } from './resolve';
import { taxonomies } from './taxonomies';

let site: ContentSite;
let importer: Actor;
const remotes: Remote<TermServiceServer>[] = [];
let remote: Remote<TermServiceServer>;

const connect = (): Remote<TermServiceServer> => {
  const client = site.dial<TermServiceServer>(TermServiceService, 'calendar');
  remotes.push(client);
  return client;
};

beforeAll(async () => {
  site = await startContent();
  remote = connect();
  const nobody = await makeUser(site.deps.db);
  importer = { ...nobody, capabilities: new Set(['manage_imports']) };
});
afterAll(async () => {
  for (const client of remotes) client.close();
  await site.stop();
});
beforeEach(() => site.deps.db.run('delete from terms where id <> 1'));

const EVENTS = 'calendar_events_cat';
const id = (value: number): TermRef => ({ ref: { $case: 'id', value } });
const name = (value: string): TermRef => ({ ref: { $case: 'name', value } });
const as = (role: 'contributor' | 'author' | 'editor') => ({ actor: site.users[role] });
const category = (fields: object) => makeTerm(site.deps.db, { taxonomy: EVENTS, ...fields });
const failure = async (work: Promise<unknown>): Promise<[number, string, unknown]> => {
  const error = await work.then(
    () => undefined,
    (reason: ApiError) => reason,
  );
  return error ? [error.status, error.code, error.data.term_id] : [200, '', undefined];
};
const countOf = async (term: number) => (await remote.getTerms({ ids: [term] })).terms[0]?.count;
const createdEvents = async () =>
  (
    await site.deps.db.rows<{ payload: { id: number } }>(
      `select payload from outbox where name = 'content.term.changed'`,
    )
  ).map(({ payload }) => payload.id);

describe('GetTerms', () => {
  test('answers those that exist, of any taxonomy', async () => {
    const a = await category({ name: 'A', slug: 'a', description: 'words', own_count: 1, external_count: 2 });
    const t = await makeTerm(site.deps.db, { taxonomy: 'post_tag', name: 'T', slug: 't' });
    const { terms } = await remote.getTerms({ ids: [t.id, 424242, a.id] });
    expect(terms).toEqual([
      {
        id: a.id,
        taxonomy: EVENTS,
        name: 'A',
        slug: 'a',
        description: 'words',
        parent: 0,
        count: 3,
        link: 'http://site.test/events/category/a/',
        version: expect.any(String),
        editors: { public: false, readers: [{ user: 0, capabilities: ['publish_events'] }] },
      },
      expect.objectContaining({ id: t.id, link: 'http://site.test/tag/t/' }),
    ]);
    expect((await remote.getTerms({ ids: [] })).terms).toEqual([]);
  });

  test('what is cut of a description, as many are asked for, leaves no tag open', async () => {
    const description = `${'x'.repeat(2_480)}<a href="http://a.example/" title="${'y'.repeat(100)}">here</a>`;
    const one = await category({ name: 'Cut', slug: 'cut', description });
    const others = Array.from({ length: 999 }, (_, index) => 900_000_000 + index);
    const [whole, cut] = await Promise.all(
      [[one.id], [one.id, ...others]].map(async (ids) => (await remote.getTerms({ ids })).terms[0]),
    );
    expect(whole?.description).toBe(description);
    expect(cut?.description).toMatch(/^x{2000,2500}$/);
  });

  test('many that are described at length fit into a message', async () => {
    const many = await site.deps.db.rows<{ id: number }>(
      `insert into terms (taxonomy, name, slug, description)
       select 'post_tag', 'Long ' || n, 'long-' || n, repeat('語', 100000) from generate_series(1, 60) as n returning id`,
    );
    const ids = many.map((row) => row.id);
    const { terms } = await remote.getTerms({ ids });
    expect(terms.map((term) => term.id)).toEqual(ids);
    expect(terms[0]?.description.length).toBeGreaterThan(4_000);
    const asked = {
      taxonomy: 'post_tag',
      page: 1,
      perPage: 500,
      search: 'long',
      order: 'asc',
      orderBy: 'id',
    };
    const listed = await remote.listTerms({
      ...asked,
      include: [],
      exclude: [],
      slugs: [],
      hideEmpty: false,
      parent: undefined,
    });
    expect(listed.terms.length).toBeGreaterThanOrEqual(60);
    await site.deps.db.run('delete from terms where id = any($1)', [ids]);
  });
});

describe('ResolveTerms', () => {
  const resolve = (
    refs: TermRef[],
    createMissing = false,
    actor: Actor = site.users.author,
    taxonomy = EVENTS,
  ) => remote.resolveTerms({ taxonomy, refs, createMissing }, { actor });

  test('finds by id, name and slug, in the order of the references', async () => {
    const a = await category({ name: 'A &amp; B', slug: 'ab' });
    const b = await category({ name: 'Music', slug: 'tunes' });
    const t = await makeTerm(site.deps.db, { taxonomy: 'post_tag', name: 'Tag' });
    const { results } = await resolve([
      name('tunes'),
      id(a.id),
      name('a & <i>b</i>'),
      id(t.id),
      name('Tag'),
      id(0),
      name(' '),
      name('MUSIC'),
    ]);
    expect(results.map(({ term, created }) => [term?.id, created])).toEqual([
      [b.id, false],
      [a.id, false],
      [a.id, false],
      [undefined, false],
      [undefined, false],
      [undefined, false],
      [undefined, false],
      [b.id, false],
    ]);
  });

  test('a name counts before a slug, a topmost term before others', async () => {
    const parent = await category({ name: 'Parent', slug: 'parent' });
    await category({ name: 'Jazz', slug: 'jazz-parent', parent: parent.id });
    const top = await category({ name: 'Jazz', slug: 'top-jazz' });
    await category({ name: 'Elsewhere', slug: 'jazz' });
    const { results } = await resolve([name('jazz')]);
    expect(results[0]?.term?.id).toBe(top.id);
  });

  test('a slug counts before a name where the caller says so; a name is still found', async () => {
    const named = await category({ name: 'Opera', slug: 'opera-2' });
    const meant = await category({ name: 'Opera houses', slug: 'opera' });
    const { results } = await remote.resolveTerms(
      {
        taxonomy: EVENTS,
        refs: ['opera', 'opera-2', 'OPERA', 'opera houses'].map(name),
        createMissing: false,
        slugsFirst: true,
      },
      { actor: site.users.author },
    );
    expect(results.map(({ term }) => term?.id)).toEqual([meant.id, named.id, named.id, meant.id]);
  });

  test('makes what is missing, once for each name, and tells of it', async () => {
    await category({ name: 'C', slug: 'c' });
    const { results } = await resolve(
      [name('New'), name('C'), name('NEW'), name('C++'), name('C#'), name('!!!'), name('New ')],
      true,
    );
    const [first, , again, plus, sharp, marks, spaced] = results;
    expect(first).toMatchObject({
      created: true,
      term: { name: 'New', slug: 'new', taxonomy: EVENTS, parent: 0, count: 0 },
    });
    expect(again?.term?.id).toBe(first?.term?.id);
    expect(spaced?.term?.id).toBe(first?.term?.id);
    expect([plus?.term?.slug, sharp?.term?.slug].sort()).toEqual(['c-2', 'c-3']);
    expect(marks?.term?.slug).toBe('21-21-21');
    expect(results[1]?.created).toBe(false);
    const told = await createdEvents();
    for (const result of [first, plus, sharp, marks]) expect(told).toContain(result?.term?.id);
    const { results: later } = await resolve([name('New'), name('C++'), name('C#'), name('!!!')], true);
    expect(later.map(({ term, created }) => [term?.id, created])).toEqual(
      [first, plus, sharp, marks].map((result) => [result?.term?.id, false]),
    );
  });

  test('what was made for an import is told as its own whenever it asks, and to nobody else', async () => {
    const forImport = async (importId?: string, ...names: string[]) =>
      (
        await remote.resolveTerms(
          { taxonomy: EVENTS, refs: names.map(name), createMissing: true, importId },
          { actor: importer },
        )
      ).results.map(({ created, ofImport }) => [created, ofImport]);
    await category({ name: 'There', slug: 'there' });
    expect(await forImport('imp_1', 'Of it', 'There')).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(await forImport('imp_1', 'Of it', 'More')).toEqual([
      [false, true],
      [true, true],
    ]);
    for (const other of ['imp_2', '', undefined])
      expect(await forImport(other, 'Of it', 'There')).toEqual([
        [false, false],
        [false, false],
      ]);
    expect(await forImport(undefined, 'Of none')).toEqual([[true, false]]);
    expect(await forImport('', 'Of none')).toEqual([[false, false]]);
  });

  test('parallel callers on several connections get one term for each name', async () => {
    const clients = [remote, connect(), connect()];
    const names = Array.from({ length: 30 }, (_, n) => `Name ${n}`);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (clients[n % clients.length] as Remote<TermServiceServer>).resolveTerms(
          {
            taxonomy: EVENTS,
            refs: [...names.slice(n % 30), ...names.slice(0, n % 30)].map(name),
            createMissing: true,
          },
          as('author'),
        ),
      ),
    );
    const ids = new Set(answers.flatMap(({ results }) => results.map(({ term }) => term?.id)));
    expect(ids.size).toBe(30);
    const created = answers.flatMap(({ results }) => results.filter((result) => result.created));
    expect(created).toHaveLength(30);
    const row = await site.deps.db.first<{ n: number }>(
      `select count(*) as n from terms where taxonomy = $1`,
      [EVENTS],
    );
    expect(row?.n).toBe(30);
  });

  test('meets single creations of the same name', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2
          ? remote.resolveTerms(
              { taxonomy: 'post_tag', refs: [name('Both')], createMissing: true },
              as('author'),
            )
          : site.by('author').post('/tags', { name: 'Both' }),
      ),
    );
    expect(answers).toHaveLength(20);
    const rows = await site.deps.db.rows(
      `select id from terms where taxonomy = 'post_tag' and name = 'Both'`,
    );
    expect(rows).toHaveLength(1);
  });

  test('takes a number of statements that does not grow with the references', async () => {
    let statements = 0;
    const counting = (db: Db): Db => ({
      rows: (...query) => ((statements += 1), db.rows(...query)),
      first: (...query) => ((statements += 1), db.first(...query)),
      run: (...query) => ((statements += 1), db.run(...query)),
    });
    const { db } = site.deps;
    const counted: Database = {
      ...db,
      ...counting(db),
      transaction: (work) => db.transaction((tx) => work(counting(tx))),
    };
    const names = Array.from({ length: 500 }, (_, n) => `Many ${n}`);
    const options = { createMissing: true, actor: site.users.author };
    const made = await resolveTerms(counted, taxonomies[EVENTS], names, options);
    expect([made.filter(({ created }) => created).length, statements]).toEqual([500, 4]);
    statements = 0;
    await resolveTerms(counted, taxonomies[EVENTS], names, options);
    expect(statements).toBe(1);
  });

  test('making takes the right of the taxonomy, or that of imports; finding takes none', async () => {
    await category({ name: 'There', slug: 'there' });
    expect(await failure(resolve([name('There'), name('Not there')], true, site.users.contributor))).toEqual([
      403,
      'rest_cannot_create',
      undefined,
    ]);
    expect((await resolve([name('There')], true, site.users.contributor)).results[0]?.term?.name).toBe(
      'There',
    );
    expect(
      (await remote.resolveTerms({ taxonomy: EVENTS, refs: [name('Not there')], createMissing: false }))
        .results,
    ).toEqual([{ term: undefined, created: false, ofImport: false }]);
    expect(
      (
        await failure(
          remote.resolveTerms({ taxonomy: EVENTS, refs: [name('Not there')], createMissing: true }),
        )
      )[0],
    ).toBe(401);
    expect((await resolve([name('Not there')], true, importer)).results[0]?.created).toBe(true);
    expect(
      (await resolve([name('A tag')], true, site.users.contributor, 'post_tag')).results[0]?.created,
    ).toBe(true);
    expect(await failure(resolve([name('x')], false, site.users.editor, 'nonsense'))).toEqual([
      404,
      'rest_taxonomy_invalid',
      undefined,
    ]);
  });

  test('takes no references, very long names and odd ones', async () => {
    expect((await resolve([], true)).results).toEqual([]);
    const { results } = await resolve(
      [name('x'.repeat(100_000)), name('語'.repeat(5000)), name('a\u0000b'), name('<b>'), { ref: undefined }],
      true,
    );
    expect(results.map(({ term }) => term?.name.length)).toEqual([200, 200, 2, undefined, undefined]);
  });
});

describe('ListTerms', () => {
  const list = (request: object) =>
    remote.listTerms({
      taxonomy: EVENTS,
      page: 0,
      perPage: 0,
      search: '',
      include: [],
      exclude: [],
      order: '',
      orderBy: '',
      hideEmpty: false,
      slugs: [],
      ...request,
    });
  const listed = async (request: object) => (await list(request)).terms.map((term) => term.name);

  test('filters, orders and pages', async () => {
    const a = await category({ name: 'a', slug: 'x', external_count: 1 });
    const b = await category({ name: 'B', slug: 'w', parent: a.id });
    await category({ name: 'c', slug: 'v' });
    expect(await listed({})).toEqual(['a', 'B', 'c']);
    expect(await listed({ order: 'desc' })).toEqual(['c', 'B', 'a']);
    expect(await listed({ orderBy: 'slug' })).toEqual(['c', 'B', 'a']);
    expect(await listed({ orderBy: 'nonsense' })).toEqual(['a', 'B', 'c']);
    expect(await listed({ include: [b.id] })).toEqual(['B']);
    expect(await listed({ exclude: [b.id] })).toEqual(['a', 'c']);
    expect(await listed({ parent: a.id })).toEqual(['B']);
    expect(await listed({ parent: 0 })).toEqual(['a', 'c']);
    expect(await listed({ slugs: ['v'] })).toEqual(['c']);
    expect(await listed({ search: 'W' })).toEqual(['B']);
    expect(await listed({ hideEmpty: true })).toEqual(['a']);
    const page = await list({ page: 2, perPage: 2 });
    expect([page.terms.map((term) => term.name), page.total]).toEqual([['c'], 3]);
    expect(await list({ page: 9, perPage: 2 })).toEqual({ terms: [], total: 3, more: false });
  });
});

describe('ListDescendants', () => {
  test('answers the terms and all below them', async () => {
    const a = await category({ name: 'a' });
    const b = await category({ name: 'b', parent: a.id });
    const c = await category({ name: 'c', parent: b.id });
    const d = await category({ name: 'd' });
    expect((await remote.listDescendants({ ids: [a.id] })).ids).toEqual([a.id, b.id, c.id]);
    expect((await remote.listDescendants({ ids: [b.id, d.id, 424242] })).ids).toEqual([b.id, c.id, d.id]);
    expect((await remote.listDescendants({ ids: [] })).ids).toEqual([]);
  });
});

describe('CreateTerm, UpdateTerm, DeleteTerm', () => {
  test('do as the routes do', async () => {
    const made = await remote.createTerm(
      { taxonomy: EVENTS, name: 'Made <b>here</b>', description: 'd' },
      as('author'),
    );
    expect(made).toMatchObject({
      taxonomy: EVENTS,
      name: 'Made here',
      slug: 'made-here',
      description: 'd',
      parent: 0,
      count: 0,
    });
    const changed = await remote.updateTerm({ taxonomy: EVENTS, id: made.id, slug: 'other' }, as('author'));
    expect(changed).toMatchObject({ id: made.id, name: 'Made here', slug: 'other', description: 'd' });
    expect(await remote.deleteTerm({ taxonomy: EVENTS, id: made.id }, as('author'))).toEqual(changed);
    expect((await remote.getTerms({ ids: [made.id] })).terms).toEqual([]);
  });

  test('refuse as the routes do', async () => {
    const there = await category({ name: 'There', slug: 'there' });
    const t = await makeTerm(site.deps.db, { taxonomy: 'post_tag', name: 'T', slug: 't' });
    const create = (fields: object, who: 'contributor' | 'author' = 'author') =>
      failure(remote.createTerm({ taxonomy: EVENTS, name: 'N', ...fields }, as(who)));
    expect(await create({ name: 'there' })).toEqual([400, 'term_exists', there.id]);
    expect(await create({ name: ' ' })).toEqual([400, 'empty_term_name', undefined]);
    expect(await create({ name: 'x'.repeat(5000) })).toEqual([400, 'rest_invalid_param', undefined]);
    expect(await create({ parent: 424242 })).toEqual([400, 'rest_term_invalid', undefined]);
    expect(await create({ taxonomy: 'post_tag', parent: 0 })).toEqual([
      400,
      'rest_taxonomy_not_hierarchical',
      undefined,
    ]);
    expect(await create({}, 'contributor')).toEqual([403, 'rest_cannot_create', undefined]);
    expect(await failure(remote.createTerm({ taxonomy: EVENTS, name: 'N' }))).toEqual([
      401,
      'rest_cannot_create',
      undefined,
    ]);
    expect(await failure(remote.updateTerm({ taxonomy: EVENTS, id: t.id }, as('author')))).toEqual([
      404,
      'rest_term_invalid',
      undefined,
    ]);
    expect(await failure(remote.updateTerm({ taxonomy: 'post_tag', id: t.id }, as('author')))).toEqual([
      403,
      'rest_cannot_update',
      undefined,
    ]);
    expect(await failure(remote.deleteTerm({ taxonomy: 'post_tag', id: t.id }, as('author')))).toEqual([
      403,
      'rest_cannot_delete',
      undefined,
    ]);
    expect(await failure(remote.deleteTerm({ taxonomy: 'category', id: 1 }, as('editor')))).toEqual([
      403,
      'rest_cannot_delete',
      undefined,
    ]);
  });
});

describe('SetExternalCounts', () => {
  const tell = (source: string, counts: [number, number][], complete = false) =>
    remote.setExternalCounts({
      source,
      counts: counts.map(([termId, count]) => ({ termId, count })),
      complete,
    });

  test('a term shows the sum over all sources and its own posts', async () => {
    const [a, b] = [await category({ name: 'a', own_count: 1 }), await category({ name: 'b' })];
    await tell('calendar', [
      [a.id, 5],
      [b.id, 2],
      [424242, 9],
    ]);
    await tell('other', [[a.id, 3]]);
    expect([await countOf(a.id), await countOf(b.id)]).toEqual([9, 2]);
    await tell('calendar', [[a.id, 4]]);
    expect([await countOf(a.id), await countOf(b.id)]).toEqual([8, 2]);
    await tell('calendar', [
      [b.id, 0],
      [a.id, -7],
    ]);
    expect([await countOf(a.id), await countOf(b.id)]).toEqual([4, 0]);
  });

  test('a complete telling clears what it does not name, of its source only', async () => {
    const [a, b] = [await category({ name: 'a' }), await category({ name: 'b' })];
    await tell('calendar', [
      [a.id, 5],
      [b.id, 2],
    ]);
    await tell('other', [[a.id, 1]]);
    await tell('calendar', [[b.id, 3]], true);
    expect([await countOf(a.id), await countOf(b.id)]).toEqual([1, 3]);
    await tell('calendar', [], true);
    expect([await countOf(a.id), await countOf(b.id)]).toEqual([1, 0]);
    await tell('calendar', []);
    expect(await countOf(a.id)).toBe(1);
  });

  test('others are told of terms that get their first objects, or lose their last ones', async () => {
    const [a, b, own] = [
      await category({ name: 'a' }),
      await category({ name: 'b', slug: 'b' }),
      await category({ name: 'own', slug: 'own', own_count: 1 }),
    ];
    const told = async (): Promise<number[]> => {
      const rows = await site.deps.db.rows<{ payload: { id: number } }>(
        `delete from outbox where name = 'content.term.counted' returning payload`,
      );
      return rows.map(({ payload }) => payload.id).sort((one, other) => one - other);
    };
    await told();
    await tell('calendar', [
      [a.id, 1],
      [b.id, 2],
      [own.id, 3],
    ]);
    expect(await told()).toEqual([a.id, b.id]);
    await tell('calendar', [[a.id, 5]]);
    await tell('other', [[b.id, 5]]);
    expect(await told()).toEqual([]);
    await tell('calendar', [], true);
    expect(await told()).toEqual([a.id]);
  });

  test('parallel tellings end in the sum', async () => {
    const terms = await Promise.all(Array.from({ length: 10 }, (_, n) => category({ name: `t${n}` })));
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        tell(
          `source ${n % 4}`,
          (n % 2 ? terms : [...terms].reverse()).map((term) => [term.id, 2]),
        ),
      ),
    );
    for (const term of terms) expect(await countOf(term.id)).toBe(8);
  });
});
