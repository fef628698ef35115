import type { TestService } from '@sevenfold/chassis/testing/service';
import type { Deps } from '../deps';
import { administrator, editor, startSpamfilter } from '../testing/service';
import { read } from './read';

let site: TestService<Deps>;
beforeAll(async () => {
  site = await startSpamfilter();
});
afterAll(() => site.stop());
beforeEach(async () => {
  await site.deps.db.run('delete from settings');
  site.deps.memory.forget('settings');
});

const both = { spamfilter_strictness: true, spamfilter_show_user_comments_approved: true };

describe('GET /settings', () => {
  test('answers both, true unless they were changed', async () => {
    const { status, body } = await site.as(administrator).get('/settings');
    expect([status, body]).toEqual([200, both]);
  });
});

describe.each(['post', 'put', 'patch'] as const)('%s /settings', (method) => {
  test('changes what is sent and answers all', async () => {
    const off = await site.as(administrator)[method]('/settings', { spamfilter_strictness: false });
    expect([off.status, off.body]).toEqual([200, { ...both, spamfilter_strictness: false }]);
    const hidden = { spamfilter_show_user_comments_approved: '0' };
    const other = await site.as(administrator)[method]('/settings', hidden);
    expect(other.body).toEqual({
      spamfilter_strictness: false,
      spamfilter_show_user_comments_approved: false,
    });
    const on = await site.as(administrator)[method]('/settings?spamfilter_strictness=1');
    expect(on.body).toEqual({ ...both, spamfilter_show_user_comments_approved: false });
    expect((await site.as(administrator).get('/settings')).body).toEqual(on.body);
  });

  test('without anything changes nothing', async () => {
    expect((await site.as(administrator)[method]('/settings', {})).body).toEqual(both);
  });

  test('null switches off, as anywhere', async () => {
    const administered = site.as(administrator);
    const { body } = await administered[method]('/settings', { spamfilter_strictness: null });
    expect(body).toEqual({ ...both, spamfilter_strictness: false });
    await administered[method]('/settings', both);
  });

  test.each(['maybe', 2, '', [], {}])('refuses %j', async (value) => {
    const { status, body } = await site.as(administrator)[method]('/settings', {
      spamfilter_strictness: value,
      spamfilter_show_user_comments_approved: false,
    });
    expect([status, body.code, Object.keys(body.data.params)]).toEqual([
      400,
      'rest_invalid_param',
      ['spamfilter_strictness'],
    ]);
    expect((await site.as(administrator).get('/settings')).body).toEqual(both);
  });
});

describe('who may', () => {
  test('administrators only', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH']) {
      for (const [actor, status] of [
        [undefined, 401],
        [editor, 403],
      ] as const) {
        const refused = await site
          .as(actor)
          .request(method, '/settings', method === 'GET' ? {} : { body: { spamfilter_strictness: false } });
        expect([refused.status, refused.body.code]).toEqual([status, 'rest_forbidden']);
      }
    }
    expect((await site.as(administrator).get('/settings')).body).toEqual(both);
    expect((await site.as(administrator).delete('/settings')).status).toBe(404);
  });
});

test('checks see a change at once, together with the days of the configuration', async () => {
  expect(await read(site.deps)).toEqual({ strictness: true, showUserCommentsApproved: true, keepDays: 15 });
  await site.as(administrator).post('/settings', { spamfilter_strictness: false });
  expect(await read(site.deps)).toEqual({ strictness: false, showUserCommentsApproved: true, keepDays: 15 });
});
