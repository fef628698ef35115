import { ADDRESS_HEADER, addressSigner } from '@sevenfold/chassis/http/client-address';
import { TEST_ACTOR_SECRET } from '@sevenfold/chassis/testing/service';
import type { Answer } from '@sevenfold/chassis/testing/service';
import { makeComment, makePost, makeUser } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';

const signAddress = addressSigner(TEST_ACTOR_SECRET);
const from = (address: string) => ({ [ADDRESS_HEADER]: signAddress(address) });

let site: ContentSite;
let strict: ContentSite;
let counter = 0;

beforeAll(async () => {
  // Most tests write more often than a person may; flooding has its own site.
  [site, strict] = await Promise.all([
    startContent({ COMMENT_FLOOD_SECONDS: 0, COMMENT_DISALLOWED_WORDS: 'casino' }),
    startContent({ COMMENT_REGISTRATION: true, TRASH_ENABLED: false, COMMENT_DISALLOWED_WORDS: 'casino' }),
  ]);
});
afterAll(() => Promise.all([site.stop(), strict.stop()]));

const post = async (fields: Record<string, unknown> = {}, on = site): Promise<number> =>
  (await makePost(on.deps.db, fields)).id;
/** A visitor whom nobody has seen before. */
const visitor = (): { author_name: string; author_email: string } => {
  counter += 1;
  return { author_name: `Guest ${counter}`, author_email: `guest${counter}@visitor.test` };
};
const code = (answer: Answer): unknown[] => [answer.status, answer.body.code];

describe('POST /comments', () => {
  test('of a name and a program that are far too long only the beginning is looked at', async () => {
    const long = `${'<b> '.repeat(200_000)}Ann`;
    const on = await post();
    const { status, body } = await site
      .by('editor')
      .post('/comments', { post: on, content: 'Hello', author_user_agent: long });
    expect([status, body.author_user_agent]).toEqual([201, '']);
    const named = { post: on, ...visitor(), content: 'Hello' };
    expect(code(await site.by('anonymous').post('/comments', { ...named, author_name: long }))).toEqual([
      400,
      'rest_comment_author_data_required',
    ]);
  });

  test('by a visitor waits for a moderator', async () => {
    const on = await post({ slug: 'a', path: '2024/a' });
    const answer = await site.by('anonymous').post(
      '/comments',
      {
        post: on,
        ...visitor(),
        author_name: '<b>Ann</b>\u0000 Lee',
        author_url: 'ann.test',
        content: 'Hello  world',
      },
      { ...from('203.0.113.9'), 'User-Agent': 'Browser <1>' },
    );
    expect(answer.status).toBe(201);
    const { id } = answer.body;
    expect(answer.headers.get('location')).toBe(`http://site.test/rest/core/v2/comments/${id}`);
    expect(answer.body).toMatchObject({
      post: on,
      parent: 0,
      author: 0,
      author_name: 'Ann Lee',
      author_url: 'http://ann.test',
      status: 'hold',
      type: 'comment',
      content: { rendered: '<p>Hello  world</p>\n' },
      link: `http://site.test/2024/a/#comment-${id}`,
    });
    expect(answer.body.author_email).toBeUndefined();
    expect(answer.body.content.raw).toBeUndefined();
    const stored = await site.by('editor').get(`/comments/${id}?context=edit`);
    expect(stored.body.author_ip).toBe('203.0.113.9');
    expect(stored.body.author_user_agent).toMatch(/^Browser/);
    const [event] = await site.deps.db.rows(
      `select name, payload from outbox where (payload->>'id')::bigint = $1`,
      [id],
    );
    expect(event).toEqual({
      name: 'content.comment.changed',
      payload: { id, post: on, status: 'hold', before: '' },
    });
  });

  test('by a user takes name and addresses from the account', async () => {
    const answer = await site
      .by('subscriber')
      .post('/comments', { post: await post(), content: { raw: 'Mine' } });
    expect(answer.status).toBe(201);
    const { id, name } = site.users.subscriber;
    expect(answer.body).toMatchObject({ author: id, author_name: name, status: 'hold' });
    const own = await site
      .by('subscriber')
      .post('/comments', { post: await post(), author: id, author_name: 'Else', content: 'x' });
    expect(own.body).toMatchObject({ author: id, author_name: 'Else' });
    // What he leaves out is his own.
    const other = await site
      .by('subscriber')
      .post('/comments', { post: await post(), author_name: 'Else', author_email: '', content: 'x' });
    expect(other.body).toMatchObject({ author: id, author_name: 'Else' });
    const { rows } = await site.deps.db.pool.query('select author_email from comments where id = $1', [
      other.body.id,
    ]);
    expect(rows).toEqual([{ author_email: site.users.subscriber.email }]);
    const visiting = await site
      .by('editor')
      .post('/comments', { post: await post(), ...visitor(), content: 'x' });
    expect(visiting.body).toMatchObject({ author: 0, status: 'hold' });
  });

  test('by moderators and the author of the post is shown at once', async () => {
    const own = await post({ author: site.users.author.id });
    expect((await site.by('author').post('/comments', { post: own, content: 'casino' })).body.status).toBe(
      'approved',
    );
    expect(
      (await site.by('author').post('/comments', { post: await post(), content: 'x' })).body.status,
    ).toBe('approved');
    expect((await site.by('contributor').post('/comments', { post: own, content: 'x' })).body.status).toBe(
      'hold',
    );
    const editor = await site.by('editor').post('/comments', { post: own, content: 'x' });
    expect(editor.body).toMatchObject({
      status: 'approved',
      content: { raw: 'x' },
      author_ip: expect.any(String) as string,
    });
  });

  test('is shown at once when the person has an approved comment', async () => {
    const on = await post();
    const known = visitor();
    await makeComment(site.deps.db, { post: on, ...known });
    const write = async (fields: object): Promise<string> => {
      counter += 1;
      return (
        await site.by('anonymous').post('/comments', { post: on, content: `Text ${counter}`, ...fields })
      ).body.status as string;
    };
    expect(await write(known)).toBe('approved');
    expect(await write({ ...known, author_name: 'Another' })).toBe('hold');
    expect(await write({ ...known, content: 'http://a.test and http://b.test' })).toBe('hold');
    expect(await write({ ...known, content: 'Only http://a.test' })).toBe('approved');
    expect(await write({ ...known, content: 'CASINO night' })).toBe('trash');
    const user = await makeUser(site.deps.db, 'subscriber');
    await makeComment(site.deps.db, { post: on, author: user.id });
    expect(await write({ author_name: 'Whoever', author_email: user.email.toUpperCase() })).toBe('approved');
  });

  test('moderators set status, author, address and date', async () => {
    const { subscriber } = site.users;
    const write = (fields: object) =>
      post().then((on) => site.by('administrator').post('/comments', { post: on, content: 'x', ...fields }));
    for (const [word, status] of [
      ['hold', 'hold'],
      ['0', 'hold'],
      ['approve', 'approved'],
      ['spam', 'spam'],
      ['trash', 'trash'],
      ['no-such-word', 'approved'],
    ])
      expect((await write({ status: word })).body.status).toBe(status);
    const answer = await write({
      author: subscriber.id,
      author_ip: '198.51.100.3',
      author_user_agent: 'Robot',
      date: '2024-07-01T12:00:00',
      date_gmt: '2020-01-01T00:00:00',
    });
    expect(answer.body).toMatchObject({
      author: subscriber.id,
      author_email: subscriber.email,
      author_ip: '198.51.100.3',
      author_user_agent: 'Robot',
      date: '2024-07-01T12:00:00',
      date_gmt: '2024-07-01T16:00:00',
    });
    expect((await write({ date_gmt: '2024-07-01T16:00:00' })).body.date).toBe('2024-07-01T12:00:00');
    expect((await write({ parent: 999_999 })).body.parent).toBe(999_999);
  });

  test('keeps only harmless markup of those without the right to more', async () => {
    const on = await post();
    const text = '<a href="http://x.test" onclick="y()">x</a> <script>alert(1)</script><h1>big</h1><b>bold';
    const plain = await site.by('anonymous').post('/comments', { post: on, content: text, ...visitor() });
    const stored = await site.by('editor').get(`/comments/${plain.body.id}?context=edit`);
    expect(stored.body.content.raw).toContain('rel="nofollow ugc"');
    expect(stored.body.content.raw).not.toMatch(/<script|onclick|<h1/);
    expect(stored.body.content.rendered).not.toMatch(/<script|onclick|<h1/);
    const free = await site.by('editor').post('/comments', { post: on, content: text });
    expect(free.body.content.raw).toBe(text);
    const empty = await site
      .by('anonymous')
      .post('/comments', { post: on, content: '<h1></h1> ', ...visitor() });
    expect(code(empty)).toEqual([400, 'rest_comment_content_invalid']);
  });

  test('needs a post that takes comments', async () => {
    const write = (role: 'anonymous' | 'administrator' | 'subscriber', fields: object) =>
      site.by(role).post('/comments', { content: 'x', ...(role === 'anonymous' && visitor()), ...fields });
    for (const role of ['anonymous', 'administrator'] as const) {
      expect(code(await write(role, {}))).toEqual([403, 'rest_comment_invalid_post_id']);
      expect(code(await write(role, { post: 999_999 }))).toEqual([403, 'rest_comment_invalid_post_id']);
      expect(code(await write(role, { post: await post({ comment_status: 'closed' }) }))).toEqual([
        403,
        'rest_comment_closed',
      ]);
      expect(code(await write(role, { post: await post({ status: 'draft' }) }))).toEqual([
        403,
        'rest_comment_draft_post',
      ]);
      expect(code(await write(role, { post: await post({ status: 'trash' }) }))).toEqual([
        403,
        'rest_comment_trash_post',
      ]);
    }
    const hidden = await post({ status: 'private' });
    const locked = await post({ password: 'secret' });
    for (const on of [hidden, locked]) {
      expect(code(await write('anonymous', { post: on }))).toEqual([401, 'rest_cannot_read_post']);
      expect(code(await write('subscriber', { post: on }))).toEqual([403, 'rest_cannot_read_post']);
      expect((await write('administrator', { post: on })).status).toBe(201);
    }
    expect((await write('anonymous', { post: locked, password: 'secret' })).status).toBe(201);
    expect((await write('anonymous', { post: await post({ type: 'page' }) })).status).toBe(201);
  });

  test('needs content, a name and an e-mail address', async () => {
    const on = await post();
    for (const content of [
      undefined,
      '',
      ' \n ',
      {},
      { raw: '' },
      { rendered: '<p>x</p>' },
      { raw: 5 },
      [],
    ]) {
      const answer = await site.by('anonymous').post('/comments', { post: on, ...visitor(), content });
      expect([content, ...code(answer)]).toEqual([content, 400, 'rest_comment_content_invalid']);
    }
    for (const fields of [
      {},
      { author_name: 'Ann' },
      { author_email: 'ann@a.test' },
      { author_name: ' ', author_email: 'ann@a.test' },
      { author_name: 'Ann', author_email: '' },
    ])
      expect(
        code(await site.by('anonymous').post('/comments', { post: on, content: 'x', ...fields })),
      ).toEqual([400, 'rest_comment_author_data_required']);
  });

  test('refuses what is too long', async () => {
    const on = await post();
    for (const [fields, wanted] of [
      [{ author_name: 'n'.repeat(246) }, 'comment_author_column_length'],
      [{ author_email: `${'e'.repeat(60)}@${'d'.repeat(60)}.test` }, 'comment_author_email_column_length'],
      [{ author_url: `http://u.test/${'u'.repeat(200)}` }, 'comment_author_url_column_length'],
      [{ content: 'c'.repeat(65_526) }, 'comment_content_column_length'],
    ] as const)
      expect(
        code(
          await site.by('anonymous').post('/comments', { post: on, content: 'x', ...visitor(), ...fields }),
        ),
      ).toEqual([400, wanted]);
    const longest = await site.by('anonymous').post('/comments', {
      post: on,
      ...visitor(),
      author_name: 'n'.repeat(245),
      content: 'c'.repeat(65_525),
    });
    expect(longest.status).toBe(201);
  });

  test('null dates are now, and a null type is none', async () => {
    const on = await post();
    for (const fields of [{ date: null }, { date_gmt: null }, { type: null }]) {
      const { status, body } = await site
        .by('administrator')
        .post('/comments', { post: on, content: `With no ${Object.keys(fields)[0]}`, ...fields });
      expect([status, body.type]).toEqual([201, 'comment']);
      expect(Math.abs(Date.parse(`${body.date_gmt}Z`) - Date.now())).toBeLessThan(60_000);
    }
  });

  test('refuses an id, another type and unknown authors', async () => {
    const on = await post();
    const write = (fields: object) =>
      site.by('administrator').post('/comments', { post: on, content: 'x', ...fields });
    expect(code(await write({ id: 5 }))).toEqual([400, 'rest_comment_exists']);
    expect(code(await write({ type: 'pingback' }))).toEqual([400, 'rest_invalid_comment_type']);
    expect(code(await write({ author: 999_999 }))).toEqual([400, 'rest_comment_author_invalid']);
    expect(code(await write({ author: 0 }))).toEqual([400, 'rest_comment_author_invalid']);
  });

  test('keeps status, author and address for moderators', async () => {
    const on = await post();
    for (const [fields, wanted] of [
      [{ status: 'approved' }, 'rest_comment_invalid_status'],
      [{ author: site.users.administrator.id }, 'rest_comment_invalid_author'],
      [{ author_ip: '192.0.2.1' }, 'rest_comment_invalid_author_ip'],
    ] as const) {
      const stranger = await site
        .by('anonymous')
        .post('/comments', { post: on, content: 'x', ...visitor(), ...fields });
      expect(code(stranger)).toEqual([401, wanted]);
      expect(code(await site.by('author').post('/comments', { post: on, content: 'x', ...fields }))).toEqual([
        403,
        wanted,
      ]);
    }
  });

  test('reports every bad argument at once', async () => {
    const answer = await site.by('administrator').post('/comments', {
      post: 'x',
      parent: -1,
      author: 'me',
      author_email: 'nobody',
      author_ip: '1.2.3',
      author_name: 5,
      content: 5,
      date: 'today',
      date_gmt: '2024-13-01T00:00:00',
      status: 1,
      meta: 'x',
    });
    expect(code(answer)).toEqual([400, 'rest_invalid_param']);
    expect(Object.keys(answer.body.data.params).sort()).toEqual(
      [
        'author',
        'author_email',
        'author_ip',
        'author_name',
        'content',
        'date',
        'date_gmt',
        'meta',
        'parent',
        'post',
        'status',
      ].sort(),
    );
    expect(answer.body.data.details.author_email.code).toBe('rest_invalid_email');
    expect(answer.body.data.details.author_ip.code).toBe('rest_invalid_ip');
    expect(answer.body.data.details.date.code).toBe('rest_invalid_date');
  });

  test('takes the same text of a person once', async () => {
    const on = await post();
    const body = { post: on, content: 'Again', ...visitor() };
    expect((await site.by('anonymous').post('/comments', body)).status).toBe(201);
    expect(code(await site.by('anonymous').post('/comments', body))).toEqual([409, 'comment_duplicate']);
    expect((await site.by('anonymous').post('/comments', { ...body, post: await post() })).status).toBe(201);
    expect((await site.by('anonymous').post('/comments', { ...body, ...visitor() })).status).toBe(201);
    expect((await site.by('editor').post('/comments', { post: on, content: 'Again' })).status).toBe(201);
    expect(code(await site.by('editor').post('/comments', { post: on, content: 'Again' }))).toEqual([
      409,
      'comment_duplicate',
    ]);
  });

  test('takes the same text once, also when it comes ten times at once', async () => {
    const body = { post: await post(), content: 'All at once', ...visitor() };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => site.by('anonymous').post('/comments', body)),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
  });
});

describe('flooding', () => {
  let slow: ContentSite;
  beforeAll(async () => {
    slow = await startContent({ COMMENT_FLOOD_SECONDS: 15 });
  });
  afterAll(() => slow.stop());

  test('one comment of a person in a while; moderators are exempt', async () => {
    const on = await post({}, slow);
    const write = (fields: object, address: string) =>
      slow
        .by('anonymous')
        .post('/comments', { post: on, content: `Text ${(counter += 1)}`, ...fields }, from(address));
    const ann = visitor();
    expect((await write(ann, '203.0.113.1')).status).toBe(201);
    expect(code(await write(visitor(), '203.0.113.1'))).toEqual([400, 'comment_flood']);
    expect(code(await write(ann, '203.0.113.2'))).toEqual([400, 'comment_flood']);
    expect((await write(visitor(), '203.0.113.2')).status).toBe(201);
    await slow.deps.db.run(`update comments set created_at = created_at - interval '16 seconds'`);
    expect((await write(ann, '203.0.113.1')).status).toBe(201);
    expect(
      (await slow.by('subscriber').post('/comments', { post: on, content: 'a' }, from('203.0.113.3'))).status,
    ).toBe(201);
    expect(
      code(await slow.by('subscriber').post('/comments', { post: on, content: 'b' }, from('203.0.113.4'))),
    ).toEqual([400, 'comment_flood']);
    expect(
      (await slow.by('contributor').post('/comments', { post: on, content: 'a' }, from('203.0.113.3')))
        .status,
    ).toBe(201);
    for (const content of ['a', 'b'])
      expect((await slow.by('editor').post('/comments', { post: on, content })).status).toBe(201);
  });

  test('one, also when ten come at once', async () => {
    const on = await post({}, slow);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        slow
          .by('anonymous')
          .post('/comments', { post: on, content: `Text ${index}`, ...visitor() }, from('203.0.113.77')),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array<number>(9).fill(400)]);
  });
});

describe('settings', () => {
  test('visitors may be turned away; without a trash disallowed words make spam', async () => {
    const on = await post({}, strict);
    const stranger = await strict.by('anonymous').post('/comments', { post: on, content: 'x', ...visitor() });
    expect(code(stranger)).toEqual([401, 'rest_comment_login_required']);
    const user = await strict.by('subscriber').post('/comments', { post: on, content: 'casino' });
    expect([user.status, user.body.status]).toEqual([201, 'spam']);
    const kept = await strict.by('editor').delete(`/comments/${user.body.id}`);
    expect(code(kept)).toEqual([501, 'rest_trash_not_supported']);
  });
});
