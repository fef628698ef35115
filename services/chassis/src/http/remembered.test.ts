/**
 * Answers that are given again: never what was before the question, and none that is another's. What is read is asked
 * of a real service and changed behind its back, in its database.
 */
import { createLog } from '../log';
import { type Actor, stranger } from '../actor';
import { dialer } from '../grpc/dial';
import { followNews } from '../news/follow';
import type { SampleDeps } from '../testing/sample';
import { sampleService } from '../testing/sample';
import { TEST_ACTOR_SECRET, type TestService, startTestService } from '../testing/service';
import { until } from '../testing/until';
import { BODY_HEADER, hashOf } from './body-hash';
import { anyone, reply, route } from './route';
import { WANTS_TAGS_HEADER } from './shows';

let made = 0;
const tales = {
  name: 'tales',
  routes: [
    route({
      methods: ['GET'],
      path: '/tales',
      summary: 'Lists notes, and tells of them.',
      args: { page: { type: 'integer', default: 1, description: 'Page.' } },
      permission: anyone,
      shows: { rows: 'note', lists: () => ['note'] },
      handle: async ({ deps: { db } }: { deps: SampleDeps }) => {
        made += 1;
        return reply.list(
          await db.rows<{ id: number; text: string }>('select id, text from notes order by id'),
          25,
        );
      },
    }),
  ],
};

let site: TestService<SampleDeps>;
beforeAll(async () => {
  site = await startTestService({ ...sampleService, resources: [tales] }, {});
  await site.deps.db.pool.query(`
    create function notes_news() returns trigger language plpgsql as $$
    begin
      perform tell_news('note:' || new.id, case when tg_op = 'INSERT' then 'note' end);
      return null;
    end $$;
    create trigger notes_news after insert or update on notes for each row execute function notes_news();
    insert into notes (text) values ('0'), ('other')`);
  // Before its first news a process does not know where it stands.
  await until(async () => {
    await change('0');
    return (await ask('')).headers.has('x-sevenfold-heard');
  });
});
afterAll(() => site.stop());

const WANTING = { [WANTS_TAGS_HEADER]: '1' };
const ask = (query: string, actor?: Actor) => site.as(actor).get(`/tales${query}`, WANTING);
const change = (text: string): Promise<number> =>
  site.deps.db.run('update notes set text = $1 where id = 1', [text]);

/** What was committed before has been heard: only then is anything given again. */
const untilRemembered = (query: string): Promise<true> =>
  until(async () => {
    await ask(query);
    const before = made;
    await ask(query);
    return made === before;
  });

test('one question in many words is answered once, each with its own pages', async () => {
  await untilRemembered('?page=2');
  const before = made;
  const [one, two] = [await ask('?page=2&a=1'), await ask('?b=2&page=2')];
  expect(made).toBe(before);
  expect(one.body).toEqual(two.body);
  expect(one.headers.get('x-total')).toBe('25');
  expect(two.headers.get('link')).toContain('?b=2&page=1>; rel="prev"');
  expect(one.headers.get('link')).toContain('?page=3&a=1>; rel="next"');
  expect(two.headers.get('allow')).toBe('GET');
  await ask('?page=3');
  expect(made).toBe(before + 1);
});

test('what is given again says the hash of its body, and only the body decides it', async () => {
  await untilRemembered('?page=4');
  const [one, two] = [await ask('?page=4&a=1'), await ask('?page=5')];
  expect(one.headers.get(BODY_HEADER)).toBe(hashOf(one.text));
  expect(two.headers.has(BODY_HEADER)).toBe(false);
  expect((await ask('?page=5')).headers.get(BODY_HEADER)).toBe(hashOf(one.text));
  await change('of another hash');
  await untilRemembered('?page=4');
  const changed = await ask('?page=4');
  expect(changed.headers.get(BODY_HEADER)).toBe(hashOf(changed.text));
  expect(hashOf(changed.text)).not.toBe(hashOf(one.text));
});

test('who does not ask what it shows, or has a name, is answered anew', async () => {
  await ask('');
  const before = made;
  await site.as().get('/tales');
  await ask('', { ...stranger, id: 7 });
  expect(made).toBe(before + 2);
});

test('nobody is shown what was before his question, whoever asks beside him', async () => {
  for (let turn = 1; turn <= 60; turn++) {
    await change(String(turn));
    const texts = await Promise.all([1, 2, 3].map(async (n) => (await ask(`?n=${turn}-${n}`)).body[0].text));
    expect(texts).toEqual([String(turn), String(turn), String(turn)]);
  }
});

test('what was missed while nobody listened is not taken for nothing', async () => {
  await ask('');
  await site.deps.db.run(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like '%-listener'`,
  );
  await change('missed');
  expect((await ask('')).body[0].text).toBe('missed');
  // And it is remembered again once it can be.
  await until(async () => {
    await change('heard');
    await ask('');
    const before = made;
    await ask('');
    return made === before;
  });
});

test('who follows the news of another service knows when he has heard all of them', async () => {
  const told: string[] = [];
  const news = followNews({
    dial: dialer({ caller: 'calendar', actorSecret: TEST_ACTOR_SECRET }),
    service: 'sample',
    address: `127.0.0.1:${site.service.grpcPort}`,
    log: createLog('test', 'api', 'silent'),
    onNews: (_, tags) => void told.push(...tags),
    onGap: () => undefined,
  });
  try {
    await until(() => news.caughtUp());
    // Of what was changed before.
    told.length = 0;
    for (let turn = 0; turn < 40; turn++) {
      const before = news.record.now();
      await change(`turn ${turn}`);
      await until(() => news.caughtUp());
      expect(news.record.isFresh(['note:1'], before)).toBe(false);
      expect(news.record.isFresh(['note:2'], before)).toBe(true);
    }
    expect(told.filter((tag) => tag === 'note:1')).toHaveLength(40);
  } finally {
    await news.stop();
  }
  expect(await news.caughtUp()).toBe(false);
});
