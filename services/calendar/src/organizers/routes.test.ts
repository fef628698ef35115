/** What only organizers have: an e-mail address. The rest is tested in linked/, for both kinds at once. */
import { type CalendarSite, startCalendar } from '../testing/service';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());

test('a whole organizer, in the order clients know', async () => {
  const made = await site.by('editor').post('/organizers', {
    organizer: 'Ann',
    description: 'words',
    phone: '555',
    website: 'http://ann.example.org',
    email: 'ann@example.org',
  });
  const order = [
    'id', 'author', 'status', 'date', 'date_utc', 'modified', 'modified_utc', 'url', 'organizer', 'description', 'slug',
    'phone', 'website', 'email', 'json_ld', 'global_id', 'global_id_lineage',
  ]; // prettier-ignore
  expect(Object.keys(made.body)).toEqual(order.filter((name) => name !== 'json_ld'));
  const { body } = await site.by('anonymous').get(`/organizers/${made.body.id}`);
  expect(Object.keys(body)).toEqual(order);
  expect(body.json_ld).toEqual({
    '@type': 'Person',
    name: 'Ann',
    description: '&lt;p&gt;words&lt;/p&gt;\\n',
    url: '',
    telephone: '555',
    email: expect.stringMatching(/&#\d+;/),
    sameAs: 'http://ann.example.org',
  });
  expect(
    body.json_ld.email.replace(/&#(\d+);/g, (_: string, code: string) => String.fromCharCode(Number(code))),
  ).toBe('ann@example.org');
});

test('the e-mail address is not judged; empty text takes it away', async () => {
  const { body } = await site.by('editor').post('/organizers', { organizer: 'Bob', email: 'anything goes' });
  expect(body.email).toBe('anything goes');
  const cleared = await site.by('editor').put(`/organizers/${body.id}`, { email: '' });
  expect(cleared.body).not.toHaveProperty('email');
});
