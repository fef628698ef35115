import type { TestService } from '@sevenfold/chassis/testing/service';
import type { Deps } from '../deps';
import { administrator, editor, startSpamfilter } from '../testing/service';
import { READ } from './store';

/** A connection, as far as it is watched. */
interface Client {
  query?: (...args: unknown[]) => unknown;
}

let site: TestService<Deps>;
beforeAll(async () => {
  site = await startSpamfilter();
});
afterAll(() => site.stop());
beforeEach(() => site.deps.db.run('delete from rollups'));

/** `back` counts from now, in UTC. */
const put = (
  period: 'day' | 'month',
  back: string,
  spam: number,
  ham: number,
  missed: number,
  wrong: number,
) =>
  site.deps.db.first<{ start: string }>(
    `insert into rollups values ($1, (date_trunc($1, now() at time zone 'UTC') - $2::interval)::date, $3, $4, $5, $6)
     returning start`,
    [period, back, spam, ham, missed, wrong],
  ) as Promise<{ start: string }>;
const get = async (path: string): Promise<unknown> => (await site.as(administrator).get(path)).body;

const nothing = {
  spam: 0,
  ham: 0,
  missed_spam: 0,
  false_positives: 0,
  accuracy: 0,
  time_saved: 0,
  breakdown: {},
};

describe('GET /stats', () => {
  test('answers nothing but zeros where nothing was judged', async () => {
    expect(await get('/stats')).toEqual({ all: nothing });
  });

  test('is what the sample shows', async () => {
    await site.deps.db.run(`insert into rollups values
      ('month', '2026-11-01', 7, 14, 0, 2), ('month', '2026-10-01', 5, 20, 1, 0)`);
    const { status, text } = await site.as(administrator).get('/stats');
    expect(status).toBe(200);
    expect(text).toBe(
      JSON.stringify({
        all: {
          spam: 12,
          ham: 34,
          missed_spam: 1,
          false_positives: 2,
          accuracy: 93.88,
          time_saved: 480,
          breakdown: {
            '2026-10': { spam: 5, ham: 20, missed_spam: 1, false_positives: 0, da: '2026-10-01' },
            '2026-11': { spam: 7, ham: 14, missed_spam: 0, false_positives: 2, da: '2026-11-01' },
          },
        },
      }),
    );
  });

  test('of 60 days counts today and 59 days before, by day', async () => {
    const today = await put('day', '0 days', 1, 2, 0, 0);
    const first = await put('day', '59 days', 10, 20, 5, 5);
    await put('day', '60 days', 1000, 1000, 1000, 1000);
    await put('month', '0 days', 1000, 1000, 1000, 1000);
    expect(await get('/stats?interval=60-days')).toEqual({
      '60-days': {
        spam: 11,
        ham: 22,
        missed_spam: 5,
        false_positives: 5,
        accuracy: 76.74,
        time_saved: 440,
        breakdown: {
          [first.start]: { spam: 10, ham: 20, missed_spam: 5, false_positives: 5, da: first.start },
          [today.start]: { spam: 1, ham: 2, missed_spam: 0, false_positives: 0, da: today.start },
        },
      },
    });
  });

  test('of 6 months counts this month and five before, by month', async () => {
    const first = await put('month', '5 months', 1, 0, 0, 0);
    await put('month', '6 months', 1000, 1000, 1000, 1000);
    await put('day', '0 days', 1000, 1000, 1000, 1000);
    expect(await get('/stats?interval=6-months')).toEqual({
      '6-months': {
        ...nothing,
        spam: 1,
        accuracy: 100,
        time_saved: 40,
        breakdown: {
          [first.start.slice(0, 7)]: { spam: 1, ham: 0, missed_spam: 0, false_positives: 0, da: first.start },
        },
      },
    });
  });

  test.each(['', 'all', 'a', '61-days', 'constructor'])('takes %j for all', async (interval) => {
    expect(await get(`/stats?interval=${interval}`)).toEqual({ all: nothing });
  });
});

describe('GET /stats/{interval}', () => {
  test.each([
    ['d', '60-days'],
    ['m', '6-months'],
    ['a', 'all'],
  ])('%s is %s', async (letter, name) => {
    expect(await get(`/stats/${letter}`)).toEqual({ [name]: nothing });
  });

  test('lets a query decide where it names an interval, too', async () => {
    expect(await get('/stats/a?interval=60-days')).toEqual({ '60-days': nothing });
    expect(await get('/stats/d?interval=x')).toEqual({ all: nothing });
    expect(await get('/stats/d?other=x')).toEqual({ '60-days': nothing });
  });

  test.each(['x', 'D', '6', '+', '_'])('refuses %s', async (letter) => {
    const { status, body } = await site.as(administrator).get(`/stats/${letter}?interval=all`);
    expect([status, body.code, Object.keys(body.data.params)]).toEqual([
      400,
      'rest_invalid_param',
      ['interval'],
    ]);
  });

  test('does not match more than one character', async () => {
    expect((await site.as(administrator).get('/stats/60-days')).body.code).toBe('rest_no_route');
  });
});

test('administrators only', async () => {
  for (const path of ['/stats', '/stats/a', '/stats?interval=60-days'])
    for (const [actor, status] of [
      [undefined, 401],
      [editor, 403],
    ] as const) {
      const refused = await site.as(actor).get(path);
      expect([refused.status, refused.body.code]).toEqual([status, 'rest_forbidden']);
    }
});

describe('reading', () => {
  test('is one statement', async () => {
    const asked: unknown[] = [];
    const watched = new Set<Client>();
    const watch = (client: object): void => {
      const own = client as Client;
      if (watched.has(own)) return;
      watched.add(own);
      const query = own.query?.bind(own);
      own.query = (...args) => {
        asked.push(args[0]);
        return query?.(...args);
      };
    };
    const { pool } = site.deps.db;
    pool.on('acquire', watch);
    try {
      await get('/stats?interval=60-days');
      await get('/stats/a');
    } finally {
      pool.off('acquire', watch);
      // What remains is the method of its class.
      for (const client of watched) delete client.query;
    }
    expect(asked).toHaveLength(2);
  });

  test('looks into one index, however many roll-ups there are', async () => {
    const { db } = site.deps;
    await db.run(
      `insert into rollups select 'day', date '1000-01-01' + n, 1, 1, 0, 0 from generate_series(0, 20000) as n`,
    );
    await db.run('analyze rollups');
    for (const [period, back] of [
      ['day', '59 days'],
      ['month', '5 months'],
    ]) {
      const [plan] = await db.rows<{ 'QUERY PLAN': unknown }>(
        `explain (format json, analyze) ${READ.replace(/\$1/g, `'${period}'`).replace(/\$2/g, `'${back}'`)}`,
      );
      const text = JSON.stringify(plan);
      expect(text).toContain('"Index Name":"rollups_pkey"');
      expect(text).not.toContain('Seq Scan');
      expect(text).not.toContain('Rows Removed by Filter');
    }
  });
});
