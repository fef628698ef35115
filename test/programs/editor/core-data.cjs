// The data layer of the original's editor, which wants the page of a browser around it. Prints what came of it.
const { JSDOM, VirtualConsole } = require('jsdom');

const { SITE, USERNAME, PASSWORD } = process.env;
const { window } = new JSDOM('<!doctype html><body></body>', {
  url: `${SITE}/`,
  pretendToBeVisual: true,
  // Styles are none of our business.
  virtualConsole: new VirtualConsole(),
});
globalThis.window = window;
for (const name of Object.getOwnPropertyNames(window))
  if (!(name in globalThis)) globalThis[name] = window[name];
window.matchMedia = () => ({
  matches: false,
  addEventListener() {},
  removeEventListener() {},
  addListener() {},
  removeListener() {},
});
window.fetch = globalThis.fetch;

const apiFetch = require('@wordpress/api-fetch').default;
const { dispatch, resolveSelect, select } = require('@wordpress/data');
const { store } = require('@wordpress/core-data');

const credential = `Basic ${Buffer.from(`${USERNAME}:${PASSWORD}`).toString('base64')}`;
apiFetch.use(apiFetch.createRootURLMiddleware(`${SITE}/wp-json/`));
apiFetch.use((options, next) =>
  next({ ...options, headers: { ...options.headers, Authorization: credential } }),
);

const { getCurrentUser, getEntityRecord, getEntityRecords, getPostTypes, canUser } = resolveSelect(store);
const { deleteEntityRecord, editEntityRecord, saveEditedEntityRecord, saveEntityRecord } = dispatch(store);
const post = ['postType', 'post'];
const term = ['taxonomy', 'tribe_events_cat'];

async function main() {
  const types = await getPostTypes();
  const made = await saveEntityRecord(...post, { title: 'From the editor', status: 'publish' });
  const category = await saveEntityRecord(...term, { name: 'Hikes' });
  await editEntityRecord(...post, made.id, { title: 'Edited' });
  const saved = await saveEditedEntityRecord(...post, made.id);
  const query = { per_page: 1, _embed: 'wp:term' };
  const posts = await getEntityRecords(...post, query);
  const told = {
    types: types.map(({ slug, rest_base, rest_namespace }) => [slug, rest_base, rest_namespace ?? null]),
    made: made.status,
    saved: saved.title.raw,
    page: [posts.length, select(store).getEntityRecordsTotalItems(...post, query) >= 1],
    embedded: Object.keys(posts[0]._embedded),
    terms: (await getEntityRecords(...term)).some(({ id }) => id === category.id),
    may: [
      await canUser('create', { kind: 'postType', name: 'post' }),
      await canUser('delete', { kind: 'postType', name: 'post', id: made.id }),
    ],
    me: (await getCurrentUser()).name,
    site:
      (await getEntityRecord('root', 'site')).title ===
      (await getEntityRecord('root', '__unstableBase')).name,
    deleted: (await deleteEntityRecord(...post, made.id, { force: true })).deleted,
    refused: await saveEntityRecord(...post, { id: made.id, title: 'x' }, { throwOnError: true }).then(
      () => 'done',
      ({ code, data }) => [code, data.status],
    ),
  };
  console.log(JSON.stringify(told));
  // The store looks after the page for as long as it is there.
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
