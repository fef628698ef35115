import type { TestService } from '@sevenfold/chassis/testing/service';
import type { Deps } from '../deps';
import { administrator, editor, startSeo } from '../testing/service';
import { fields, steps } from './fields';

let site: TestService<Deps>;
beforeAll(async () => {
  site = await startSeo();
});
afterAll(() => site.stop());
beforeEach(async () => {
  await site.deps.db.run('delete from settings');
  site.deps.memory.forget('settings');
});

const post = (body: unknown) => site.as(administrator).post('/configurator', body);
const data = async (id: string): Promise<unknown> =>
  (await site.as(administrator).get('/configurator')).body.fields[id].data;

describe('GET /configurator', () => {
  test('answers the form, what was answered, and the steps', async () => {
    const { status, body } = await site.as(administrator).get('/configurator');
    expect([status, Object.keys(body)]).toEqual([200, ['fields', 'steps', 'translations']]);
    expect(body.fields.publishingEntityCompanyName).toEqual({
      componentName: 'Input',
      properties: { label: 'Name of the organization' },
      requires: { field: 'publishingEntityType', value: 'company' },
      data: '',
    });
    expect(body.fields.environment_type).toMatchObject({ componentName: 'Choice', data: 'production' });
    expect(body.fields.publishingEntity).not.toHaveProperty('data');
    expect(body.steps.welcome).toEqual({
      title: 'Welcome',
      fields: ['configurationChoices'],
      hideNavigation: true,
      fullWidth: true,
    });
  });

  test('each field stands in one step, and steps name fields that exist', () => {
    const shown = Object.values(steps).flatMap((step) => step.fields);
    expect([...shown].sort()).toEqual(Object.keys(fields).sort());
  });
});

describe('POST /configurator', () => {
  test('answers the known fields that were sent, each with what it is now', async () => {
    const { status, body } = await post({ separator: 'sc-pipe', siteType: 'castle', nobody: 1 });
    expect([status, body]).toEqual([
      200,
      { siteType: { result: false, data: 'blog' }, separator: { result: true, data: 'sc-pipe' } },
    ]);
    expect([await data('separator'), await data('siteType')]).toEqual(['sc-pipe', 'blog']);
  });

  test.each<{ sent: unknown }>([
    { sent: {} },
    { sent: { nobody: 1, constructor: 2, toString: 3 } },
    { sent: { publishingEntity: 'shown only' } },
    { sent: [] },
  ])('answers an empty list to $sent', async ({ sent }) => {
    const answer = await post(sent);
    expect([answer.status, answer.text]).toEqual([200, '[]']);
  });

  test.each([
    ['a form', new URLSearchParams({ separator: 'sc-pipe' }), undefined],
    ['text', 'separator', { 'Content-Type': 'text/plain' }],
    ['broken JSON', '{"separator":', { 'Content-Type': 'application/json' }],
    ['nothing', undefined, undefined],
  ])('refuses %s', async (_what, body, headers) => {
    const answer = await site.as(administrator).post('/configurator', body, headers);
    expect([answer.status, answer.body.code]).toEqual([400, 'rest_invalid_json']);
    expect(await data('separator')).toBe('sc-dash');
  });

  test.each([
    ['environment_type', 'staging', 'staging'],
    ['environment_type', 'none', undefined],
    ['environment_type', null, undefined],
    ['environment_type', ['staging'], undefined],
    ['publishingEntityCompanyName', '  Ferries \n & Co ', 'Ferries & Co'],
    ['publishingEntityCompanyName', 7, '7'],
    ['publishingEntityCompanyName', null, ''],
    ['publishingEntityCompanyName', {}, undefined],
    ['publishingEntityCompanyName', 'x'.repeat(201), undefined],
    ['publishingEntityCompanyLogo', 'https://site.test/logo ä.png', 'https://site.test/logo%20%C3%A4.png'],
    ['publishingEntityCompanyLogo', 'javascript:alert(1)', undefined],
    ['publishingEntityCompanyLogo', 'https://user:secret@site.test/', undefined],
    ['publishingEntityCompanyLogo', 'logo.png', undefined],
    ['profileUrlTwitter', '@ferries', 'ferries'],
    ['profileUrlTwitter', 'https://twitter.com/ferries', 'https://twitter.com/ferries'],
    ['profileUrlTwitter', 'two words', undefined],
    ['profileUrlFacebook', '', ''],
    ['facebookAppId', 123_456, '123456'],
    ['facebookAppId', '12a', undefined],
    ['postTypeEvent', false, 'false'],
    ['postTypeEvent', 'true', 'true'],
    ['postTypeEvent', 0, undefined],
    ['disallowedPaths', ' /private/ \r\n/*.pdf$\n\n/private/', '/private/\n/*.pdf$'],
    ['disallowedPaths', 'private', undefined],
    ['disallowedPaths', '/a\nUser-agent: *', undefined],
    ['disallowedPaths', '/a # all', undefined],
  ])('%s: %j is kept as %j', async (id, sent, kept) => {
    const before = await data(id);
    const { status, body } = await post({ [id]: sent });
    const now = kept ?? before;
    expect([status, body]).toEqual([200, { [id]: { result: kept !== undefined, data: now } }]);
    expect(await data(id)).toBe(now);
  });

  test('what is answered is what everything is analysed by, at once', async () => {
    const before = await site.deps.settings();
    await post({
      separator: 'sc-pipe',
      environment_type: 'staging',
      publishingEntityType: 'person',
      publishingEntityPersonName: 'Ann',
      publishingEntityCompanyName: 'Ferries',
      publishingEntityCompanyLogo: 'https://site.test/logo.png',
      profileUrlFacebook: 'https://facebook.com/ann',
      profileUrlTwitter: 'ann',
      postTypeVenue: 'false',
      multipleAuthors: false,
      siteName: 'Ferries of the north',
      titleTemplatePost: '%%title%%',
      newsSitemap: true,
    });
    const now = await site.deps.settings();
    expect(now.madeFor).not.toBe(before.madeFor);
    expect(now.settings).toMatchObject({
      site: { title: 'Ferries of the north' },
      separator: '|',
      isHidden: true,
      publisher: { kind: 'person', name: 'Ann' },
      profiles: ['https://facebook.com/ann', 'https://twitter.com/ann'],
      twitterName: 'ann',
      noindexed: ['venue', 'user'],
      titleTemplates: { post: '%%title%%' },
      newsSitemap: true,
    });
    await post({ publishingEntityType: 'company' });
    expect((await site.deps.settings()).settings.publisher).toMatchObject({
      kind: 'company',
      name: 'Ferries',
      logo: { url: 'https://site.test/logo.png' },
    });
  });

  test.each([
    ['@ferries', 'ferries'],
    ['https://x.com/ferries/', 'ferries'],
    ['https://twitter.com/ferries?s=20', 'ferries'],
    ['https://x.com/ferries?lang=en', 'ferries'],
    ['https://twitter.com/ferries/status/12345', 'ferries'],
    ['https://twitter.com/#!/ferries', 'ferries'],
    ['https://twitter.com/', ''],
    ['', ''],
  ])('the account of «%s» is «%s»', async (sent, account) => {
    await post({ profileUrlTwitter: sent });
    expect((await site.deps.settings()).settings.twitterName).toBe(account);
  });

  test('the whole index is promised to be compared where heads come out otherwise, and only there', async () => {
    const promised = async (): Promise<unknown> =>
      (await site.deps.db.first(`select count(*) as n from outbox where name = 'compare-owners'`)) as unknown;
    await site.deps.db.run('delete from outbox');
    await post({
      disallowedPaths: '/private/',
      siteType: 'shop',
      separator: 'sc-dash',
      environment_type: 'none',
    });
    expect(await promised()).toEqual({ n: 0 });
    await post({ separator: 'sc-pipe' });
    expect(await promised()).toEqual({ n: 1 });
    await post({ separator: 'sc-pipe' });
    expect(await promised()).toEqual({ n: 1 });
  });

  test('answers that come at once are all kept', async () => {
    const ids = ['Facebook', 'Instagram', 'LinkedIn', 'Pinterest', 'YouTube'].map(
      (name) => `profileUrl${name}`,
    );
    await Promise.all(ids.map((id) => post({ [id]: `https://${id.toLowerCase()}.test/` })));
    for (const id of ids) expect(await data(id)).toBe(`https://${id.toLowerCase()}.test/`);
  });
});

test('administrators only', async () => {
  for (const [actor, status] of [
    [undefined, 401],
    [editor, 403],
  ] as const) {
    const read = await site.as(actor).get('/configurator');
    const write = await site.as(actor).post('/configurator', { separator: 'sc-pipe' });
    for (const refused of [read, write])
      expect([refused.status, refused.body.code]).toEqual([status, 'rest_forbidden']);
  }
  expect(await data('separator')).toBe('sc-dash');
});
