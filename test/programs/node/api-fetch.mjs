// The same through `@wordpress/api-fetch`, with the nonce that it sends along. Prints what came of it.
import apiFetchModule from '@wordpress/api-fetch';

const { SITE, USERNAME, PASSWORD, PICTURE } = process.env;
globalThis.window ??= globalThis;
const apiFetch = apiFetchModule.default ?? apiFetchModule;
const credential = `Basic ${Buffer.from(`${USERNAME}:${PASSWORD}`).toString('base64')}`;
let signedIn = true;
apiFetch.use(apiFetch.createRootURLMiddleware(`${SITE}/wp-json/`));
apiFetch.use(apiFetch.createNonceMiddleware('0123456789'));
apiFetch.use((options, next) =>
  next(signedIn ? { ...options, headers: { ...options.headers, Authorization: credential } } : options),
);
const codeOf = (promise) =>
  promise.then(
    () => 'done',
    ({ code, data }) => [code, data.status],
  );

const create = (title) =>
  apiFetch({ path: '/wp/v2/posts', method: 'POST', data: { title, status: 'publish' } });
const made = await create('One');
await create('Two');
const form = new FormData();
form.append('file', new Blob([Buffer.from(PICTURE, 'base64')], { type: 'image/png' }), 'dot.png');
form.append('alt_text', 'tribe_events');
const picture = await apiFetch({ path: '/wp/v2/media', method: 'POST', body: form });
const page = await apiFetch({ path: '/wp/v2/posts?per_page=1', parse: false });
const named = await apiFetch({ namespace: 'wp/v2', endpoint: 'taxonomies' });
const settings = await apiFetch({
  path: '/akismet/v1/settings',
  method: 'PUT',
  data: { akismet_strictness: false },
});
const all = await apiFetch({ path: '/wp/v2/posts?per_page=-1' });
const embedded = await apiFetch({
  path: `/wp/v2/posts/${made.id}?_embed=wp:term&_fields=_links.wp:term,_embedded`,
});
const options = await apiFetch({ path: '/wp/v2/posts', method: 'OPTIONS' });
const changed = await apiFetch({
  path: `/wp/v2/posts/${made.id}`,
  method: 'PUT',
  data: { title: 'Changed' },
});
const bad = await codeOf(
  apiFetch({ path: '/akismet/v1/settings', method: 'POST', data: { akismet_strictness: 'odd' } }),
);
const form404 = await codeOf(apiFetch({ path: '/contact-form-7/v1/contact-forms/999999' }));
const event404 = await codeOf(apiFetch({ path: '/tribe/events/v1/events/999999' }));
const deleted = await apiFetch({ path: `/wp/v2/posts/${made.id}?force=true`, method: 'DELETE' });
signedIn = false;

console.log(
  JSON.stringify({
    made: made.status,
    all: ['One', 'Two'].map((title) => all.some((post) => post.title.rendered === title)),
    headers: [
      Number(page.headers.get('X-WP-Total')) >= 2,
      page.headers.get('X-WP-TotalPages') === page.headers.get('X-WP-Total'),
      page.headers.get('Link')?.includes('/wp-json/wp/v2/posts'),
    ],
    embedded: [Object.keys(embedded._links), Object.keys(embedded._embedded)],
    taxonomies: Object.keys(named),
    settings,
    schema: options.schema.properties.status.enum.filter((word) => word.startsWith('tribe-')).length,
    picture: [picture.mime_type, picture.alt_text],
    changed: changed.title.raw,
    deleted: deleted.deleted,
    refused: [
      bad,
      form404,
      event404,
      await codeOf(create('no')),
      await codeOf(apiFetch({ path: '/wp/v2/nothing' })),
    ],
  }),
);
