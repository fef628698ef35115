/** What an event, a venue or an organizer shows of others: only what its reader may read by itself. */
import type { Speaker } from '@sevenfold/chassis/testing/service';
import { makeMedia } from '@sevenfold/content/media/testing/factories';
import { makePost } from '@sevenfold/content/testing/factories';
import type { ContentSite } from '@sevenfold/content/testing/service';
import { makeEvent, makeOrganizer, makeVenue } from '../testing/factories';
import { type CalendarSite, startCalendarAtWork } from '../testing/service';
import { until } from '@sevenfold/chassis/testing/until';

let content: ContentSite;
let calendar: CalendarSite;

beforeAll(async () => {
  calendar = await startCalendarAtWork();
  ({ content } = calendar);
});
afterAll(() => calendar.stop());

const by = (role: keyof ContentSite['users'] | 'anonymous'): Speaker => calendar.by(role);
const db = () => calendar.deps.db;

interface Shown {
  readonly venue: { readonly id?: number; readonly image?: object };
  readonly organizer: readonly { readonly id: number; readonly image?: object }[];
  readonly image: { readonly id: number } | false;
  readonly json_ld?: Record<string, unknown>;
}

/** The event on every way that shows it. */
async function everywhere(speaker: Speaker, event: { id: number; slug: string }): Promise<Shown[]> {
  const list = '/events?start_date=2030-01-01&end_date=2031-01-01&per_page=50';
  const bodies = [];
  for (const path of [
    `/events/${event.id}`,
    `/events/by-slug/${event.slug}`,
    `/events/${event.id}?_fields=id,venue,organizer,image,json_ld`,
    list,
    `/events?include=${event.id}`,
    `${list}&_fields=events`,
  ]) {
    const { body } = await speaker.get(path);
    bodies.push(body.events ? body.events.find(({ id }: { id: number }) => id === event.id) : body);
  }
  return bodies as Shown[];
}

describe('an event', () => {
  it('shows the venues, organizers and pictures that its reader may read, in whatever order readers come', async () => {
    const author = content.users.author.id;
    const picture = await makeMedia(content.deps.db, { status: 'private', author });
    const open = await makeMedia(content.deps.db);
    const venue = await makeVenue(db(), { status: 'draft', author, phone: '+1 555 0100', image_id: open.id });
    const [hidden, shown] = [
      await makeOrganizer(db(), { status: 'private', author, phone: '+1 555 0199', email: 'me@site.test' }),
      await makeOrganizer(db(), { image_id: picture.id }),
    ];
    const event = await makeEvent(db(), {
      venue_id: venue.id,
      organizer_ids: [hidden.id, shown.id],
      image_id: picture.id,
    });
    // The calendar may still rest after an answer that came too late on a busy machine.
    await until(async () => (await by('editor').get(`/events/${event.id}`)).body.image?.id === picture.id);
    const roles = ['anonymous', 'editor', 'subscriber', 'author', 'contributor'] as const;
    for (const role of [...roles, ...[...roles].reverse()])
      for (const body of await everywhere(by(role), event)) {
        const all = role === 'editor' || role === 'author';
        expect(body.venue).toEqual(all ? expect.objectContaining({ id: venue.id }) : []);
        expect(body.organizer.map(({ id }) => id)).toEqual(all ? [hidden.id, shown.id] : [shown.id]);
        expect(body.organizer.at(-1)?.image).toEqual(
          all ? expect.objectContaining({ id: picture.id }) : undefined,
        );
        expect(body.image).toEqual(all ? expect.objectContaining({ id: picture.id }) : false);
        if (!all) expect(JSON.stringify(body)).not.toMatch(/555|me@|pic-/);
      }
  });

  it('is shown anew when the status of its venue changes', async () => {
    const venue = await makeVenue(db());
    const event = await makeEvent(db(), { venue_id: venue.id });
    const ids = async () => (await everywhere(by('anonymous'), event)).map((body) => body.venue.id);
    const [seen, unseen] = [Array(6).fill(venue.id), Array(6).fill(undefined)];
    for (const [status, expected] of [
      ['publish', seen],
      ['draft', unseen],
      ['publish', seen],
      ['private', unseen],
    ] as const) {
      expect((await by('editor').patch(`/venues/${venue.id}`, { status })).status).toBe(200);
      expect(await ids()).toEqual(expected);
    }
  });

  it('is shown anew when what its picture hangs on changes', async () => {
    const post = await makePost(content.deps.db, { status: 'draft' });
    const picture = await makeMedia(content.deps.db, { parent: post.id });
    const event = await makeEvent(db(), { image_id: picture.id });
    const shown = async () => (await everywhere(by('anonymous'), event)).map(({ image }) => image !== false);
    const all = (value: boolean) => async () => (await shown()).every((one) => one === value);
    const change = (method: string, path: string, body?: object) =>
      content.by('administrator').request(method, path, { body });
    expect(await shown()).toEqual(Array(6).fill(false));
    await change('PATCH', `/posts/${post.id}`, { status: 'publish' });
    await until(all(true));
    await change('DELETE', `/posts/${post.id}`);
    await until(all(false));
    await change('DELETE', `/posts/${post.id}?force=true`);
    await until(all(true));
    await change('PATCH', `/media/${picture.id}`, { status: 'private' });
    await until(all(false));
  });
});

describe('filters', () => {
  it('a venue or organizer that the reader may not read is unknown to him', async () => {
    const venue = await makeVenue(db(), { status: 'draft', geo_lat: 10, geo_lng: 10 });
    const organizer = await makeOrganizer(db(), { status: 'private' });
    const { id } = await makeEvent(db(), { venue_id: venue.id, organizer_ids: [organizer.id] });
    const window = 'start_date=2030-01-01&end_date=2031-01-01&per_page=50';
    for (const filter of [`venue=${venue.id}`, `organizer=${organizer.id}`]) {
      expect((await by('anonymous').get(`/events?${window}&${filter}`)).status).toBe(400);
      expect((await by('editor').get(`/events?${window}&${filter}`)).body.events).toMatchObject([{ id }]);
    }
    for (const filter of ['geoloc=true', 'geoloc_lat=10&geoloc_lng=10']) {
      const ids = async (role: 'anonymous' | 'editor') =>
        (await by(role).get(`/events?${window}&${filter}`)).body.events.map(
          (event: { id: number }) => event.id,
        );
      expect(await ids('anonymous')).not.toContain(id);
      expect(await ids('editor')).toContain(id);
    }
  });
});

describe('linking a picture', () => {
  const EVENT = { title: 'x', start_date: '2030-05-01 10:00', end_date: '2030-05-01 11:00' };

  it.each([
    ['/events', EVENT],
    ['/venues', { venue: 'With a picture' }],
    ['/organizers', { organizer: 'With a picture' }],
  ])('POST %s takes those that the caller may read; the others are as unknown', async (path, body) => {
    const picture = await makeMedia(content.deps.db, { status: 'private', author: content.users.editor.id });
    const post = (image: unknown, role: 'author' | 'editor' = 'author') =>
      by(role).post(path, { ...body, image });
    const own = `http://site.test/uploads/${picture.file}`;
    await content.deps.db.run('insert into media_files (path, media, upload) values ($1, $2, 1)', [
      picture.file,
      picture.id,
    ]);
    const unknown = await post(999_999);
    const refused = await post(picture.id);
    expect([unknown.status, refused.status]).toEqual([400, 400]);
    const text = (answer: { body: object }) => JSON.stringify(answer.body).replace(/\d+/g, 'N');
    expect(text(refused)).toBe(text(unknown));
    expect(text(await post(own))).toBe(text(await post('http://site.test/uploads/2024/01/none.png')));
    for (const image of [picture.id, own])
      expect((await post(image, 'editor')).body.image).toMatchObject({ id: picture.id });
    // And shown to those only who may read it.
    const made = await post(picture.id, 'editor');
    expect((await by('editor').get(`${path}/${made.body.id}`)).body.image).toMatchObject({ id: picture.id });
    expect((await by('anonymous').get(`${path}/${made.body.id}`)).body.image || false).toBe(false);
    expect((await by('author').get(`${path}?per_page=50`)).text).not.toContain(picture.file);
  });
});
