/** GET /texts: what was written, for those who may edit it. */
import { makeEvent, makeOrganizer, makeVenue } from '../testing/factories';
import { type CalendarSite, startCalendar } from '../testing/service';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());

describe('GET /texts', () => {
  it('answers the texts that the caller may edit, in the order of their numbers', async () => {
    const { db } = site.deps;
    const texts = { title_raw: 'A & B', description_raw: 'One.\n\n[two] "three"', excerpt_raw: 'Four' };
    const theirs = await makeEvent(db, { ...texts, author: site.users.editor.id });
    const own = await makeEvent(db, { ...texts, author: site.users.author.id });
    const told = ({ id }: { id: number }) => ({
      id,
      title: texts.title_raw,
      description: texts.description_raw,
      excerpt: texts.excerpt_raw,
    });
    const path = `/texts?type=event&include=${own.id},${theirs.id},999999`;
    expect((await site.by('editor').get(path)).body).toEqual([told(theirs), told(own)]);
    expect((await site.by('author').get(path)).body).toEqual([told(own)]);
    expect([
      (await site.by('anonymous').get(path)).status,
      (await site.by('subscriber').get(path)).status,
    ]).toEqual([401, 403]);
  });

  it('has a description alone of venues and organizers', async () => {
    const { db } = site.deps;
    const venue = await makeVenue(db, { description_raw: 'A *hall*' });
    const organizer = await makeOrganizer(db, { description_raw: 'A *band*' });
    for (const [type, id, description] of [
      ['venue', venue.id, 'A *hall*'],
      ['organizer', organizer.id, 'A *band*'],
    ] as const)
      expect((await site.by('editor').get(`/texts?type=${type}&include=${id}`)).body).toEqual([
        { id, description },
      ]);
  });

  it('takes at most a hundred numbers of a kind that there is', async () => {
    const many = Array.from({ length: 101 }, (_, place) => place + 1).join();
    for (const query of ['', '?type=event', '?type=post&include=1', `?type=event&include=${many}`])
      expect([query, (await site.by('editor').get(`/texts${query}`)).status]).toEqual([query, 400]);
  });
});
