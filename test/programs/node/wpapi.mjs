// A site that is used through `wpapi`, from finding its interface to being refused by it. Prints what came of it.
import WPAPI from 'wpapi';

const { SITE, USERNAME, PASSWORD, PICTURE } = process.env;

const found = await WPAPI.discover(SITE);
const anonymous = await WPAPI.discover(SITE);
const site = found.auth({ username: USERNAME, password: PASSWORD });
const codeOf = (promise) =>
  promise.then(
    () => 'done',
    ({ code, data }) => [code, data.status],
  );

const title = 'tribe_events at /wp-json/wp/v2 and /rest/core/v2';
const made = await site.posts().create({ title, content: title, status: 'publish' });
await site.posts().create({ title: 'Another', status: 'publish' });
const embedded = await site.posts().id(made.id).embed();
const list = await site.posts().perPage(1);
const category = await site.namespace('wp/v2').tribe_events_cat().create({ name: 'Walks' });
const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
const event = await site
  .namespace('tribe/events/v1')
  .events()
  .create({
    title: 'A walk',
    start_date: `${day} 10:00`,
    end_date: `${day} 12:00`,
    categories: [category.id],
  });
const events = await anonymous.namespace('tribe/events/v1').events();
const picture = await site
  .media()
  .file(Buffer.from(PICTURE, 'base64'), 'dot.png')
  .create({ alt_text: 'A dot' });

console.log(
  JSON.stringify({
    namespaces: Object.keys(site._ns).sort(),
    made: [made.status, made.title.raw],
    embedded: Object.keys(embedded._embedded).sort(),
    about: Object.keys(embedded._links)
      .filter((name) => name.includes(':'))
      .sort(),
    page: [list.length, list._paging.total, list._paging.totalPages],
    next: (await list._paging.next).map(({ id }) => id === made.id),
    found: (await anonymous.posts().search('another')).map((post) => post.title.rendered),
    statuses: (await site.posts().status(['tribe-ea-draft', 'tribe-ignored'])).length,
    term: [category.taxonomy, new URL(category._links.about[0].href).pathname],
    taxonomy: (await site.taxonomies().taxonomy('tribe_events_cat')).rest_base,
    event: [event.categories[0].taxonomy, new URL(event.rest_url).pathname.replace(/\d+$/, 'N')],
    events: events.events.map((one) => one.title),
    changed: (await site.posts().id(made.id).update({ title: 'Changed' })).title.raw,
    picture: [picture.mime_type, picture.alt_text],
    deleted: (await site.posts().id(made.id).delete({ force: true })).deleted,
    refused: [
      await codeOf(anonymous.posts().create({ title: 'no' })),
      await codeOf(anonymous.posts().id(made.id)),
      await codeOf(site.posts().status('calendar-ignored')),
      await codeOf(anonymous.auth({ username: USERNAME, password: 'wrong' }).posts()),
    ],
  }),
);
