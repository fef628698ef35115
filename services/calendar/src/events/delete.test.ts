/** DELETE of events: to the trash, once; rights; and what it leaves behind. */
import { makeEvent } from '../testing/factories';
import { type CalendarSite, startCalendar } from '../testing/service';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());

describe.each(['id', 'slug'] as const)('DELETE /events by %s', (way) => {
  const path = (event: { id: number; slug: string }): string =>
    way === 'id' ? `/events/${event.id}` : `/events/by-slug/${event.slug}`;

  it('moves to the trash, frees the slug, and answers with the event', async () => {
    const event = await makeEvent(site.deps.db, { slug: `gone-${way}` });
    const { status, body } = await site.by('editor').delete(path(event));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: event.id,
      status: 'trash',
      slug: `gone-${way}__trashed`,
      url: `http://site.test/?post_type=calendar_events&p=${event.id}`,
    });
    expect(body).not.toHaveProperty('json_ld');
    const again = await site
      .by('editor')
      .delete(way === 'id' ? path(event) : path({ ...event, slug: body.slug }));
    expect([again.status, again.body.code]).toEqual([410, 'event-is-in-trash']);
    expect((await site.by('anonymous').get(`/events/by-slug/gone-${way}`)).status).toBe(404);
    const row = await site.deps.db.first('select status, status_before_trash from events where id = $1', [
      event.id,
    ]);
    expect(row).toEqual({ status: 'trash', status_before_trash: 'publish' });
    const told = await site.deps.db.first(
      `select payload from outbox where name = 'calendar.event.deleted' and (payload->'events'->0->>'id')::bigint = $1`,
      [event.id],
    );
    expect(told).toEqual({
      payload: {
        events: [
          {
            id: event.id,
            status: 'trash',
            before_status: 'publish',
            category_ids: [],
            tag_ids: [],
            link: `/?post_type=calendar_events&p=${event.id}`,
          },
        ],
      },
    });
  });

  it.each([
    ['anonymous', 'publish', 'editor', 401],
    ['subscriber', 'publish', 'editor', 403],
    ['contributor', 'draft', 'contributor', 200],
    ['contributor', 'publish', 'contributor', 403],
    ['contributor', 'draft', 'editor', 403],
    ['author', 'publish', 'author', 200],
    ['author', 'publish', 'editor', 403],
    ['editor', 'publish', 'author', 200],
    ['administrator', 'private', 'author', 200],
  ] as const)('%s may delete a %s event of %s: %d', async (role, status, owner, expected) => {
    const event = await makeEvent(site.deps.db, { status, author: site.users[owner].id });
    const answer = await site.by(role).delete(path(event));
    expect(answer.status).toBe(expected);
    if (expected > 200) expect(answer.body.code).toBe('rest_forbidden');
    const row = await site.deps.db.first('select status from events where id = $1', [event.id]);
    expect(row).toEqual({ status: expected === 200 ? 'trash' : status });
  });

  it('answers 404 for what is not there', async () => {
    const { status, body } = await site.by('editor').delete(path({ id: 999999, slug: 'nothing' }));
    expect([status, body.code]).toEqual([404, 'event-not-found']);
  });
});

it('ignores force, and trashes once under parallel calls', async () => {
  const event = await makeEvent(site.deps.db);
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => site.by('editor').delete(`/events/${event.id}?force=true`)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410]);
});
