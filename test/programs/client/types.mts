// What the types of the client know: it compiles as it stands, and each line that is expected to fail does.
import { type SevenfoldError, type UploadProgress, createClient } from '@sevenfold/client';

const client = createClient({ url: 'http://site.test' });

export async function lists(signal: AbortSignal): Promise<void> {
  for await (const post of client.posts.list({ categories: [3], status: ['publish'] }, { signal })) {
    post.title.rendered satisfies string | undefined;
    // @ts-expect-error nothing was to be embedded
    post._embedded;
  }
  const { items, total } = await client.calendar.events.list({ start_date: '2027-01-01' }).page(1);
  items[0]?.title satisfies string | undefined;
  total satisfies number;
  for await (const { parent } of client.pages.revisions.list(7)) parent satisfies number;
  // @ts-expect-error no such argument
  client.posts.list({ categorys: [3] });
  // @ts-expect-error numbers
  client.posts.list({ categories: ['news'] });
  // @ts-expect-error no such status
  client.posts.list({ status: ['published'] });
  // @ts-expect-error pages are asked for by `page`
  client.posts.list({ page: 2 });
  // @ts-expect-error no such resource
  client.articles.list();
}

export async function relations(): Promise<void> {
  for await (const post of client.posts.list({ _embed: ['author', 'core:term'] })) {
    const [author] = post._embedded?.author ?? [];
    if (author && 'name' in author) author.slug satisfies string;
    if (author && 'code' in author) author.message satisfies string;
    for (const terms of post._embedded?.['core:term'] ?? [])
      if (Array.isArray(terms)) terms.map(({ taxonomy }) => taxonomy satisfies 'category' | 'post_tag');
    // @ts-expect-error another relation was asked for
    post._embedded?.replies;
  }
  const whole = await client.comments.get(5, { _embed: true });
  whole._embedded?.['in-reply-to'] satisfies readonly unknown[] | undefined;
  // @ts-expect-error posts have no such relation
  client.posts.list({ _embed: ['auther'] });
  // @ts-expect-error nor have settings any
  await client.settings.get({ _embed: true });
}

export async function writes(): Promise<void> {
  const { id } = await client.posts.create({ title: 'One', status: 'draft', categories: [3] });
  await client.posts.update(id, { title: { raw: 'Two' } }, { timeoutMs: 5_000, retries: 0 });
  await client.posts.delete(id, { force: true });
  await client.users.me.update({ description: 'Writes.' });
  await client.forms.contactForms.feedback.send(1, { 'your-name': 'Ann' });
  await client.calendar.venues.bySlug.update('harbour', { city: 'Lisbon' });
  await client.imports.import.batch.send('one', { batch_hash: 'x', status: {}, percentage_complete: 9 });
  // @ts-expect-error events have a start and an end
  await client.calendar.events.create({ title: 'Opening' });
  // @ts-expect-error whoever is deleted leaves posts to somebody
  await client.users.delete(3, { force: true });
  // @ts-expect-error revisions are not written
  client.posts.revisions.create(3);
  // @ts-expect-error posts are named by numbers
  await client.posts.get('hello');
}

export async function removals(force: boolean): Promise<void> {
  const trashed = await client.posts.delete(3);
  trashed.status satisfies string | undefined;
  // @ts-expect-error it lies in the trash
  trashed.previous;
  (await client.posts.delete(3, { force: false })).title.raw satisfies string | undefined;
  const gone = await client.posts.delete(3, { force: true });
  gone.deleted satisfies true;
  gone.previous.title.raw satisfies string | undefined;
  // @ts-expect-error there is nothing left
  gone.title;
  const either = await client.posts.delete(3, { force });
  ('deleted' in either ? either.previous : either).id satisfies number;
  // What has no trash answers one thing, and what has nothing else, too.
  (await client.categories.delete(3, { force: true })).previous.name satisfies string;
  (await client.users.delete(3, { force: true, reassign: 1 })).previous.slug satisfies string;
  (await client.calendar.venues.delete(3)).venue satisfies string;
  (await client.posts.delete(3, { force: true, _fields: ['deleted'] })).previous?.id satisfies
    number | undefined;
}

export async function others(file: File, stream: ReadableStream<Uint8Array>): Promise<void> {
  const tell = ({ sent, total }: UploadProgress): void => console.log(sent, total);
  const { id } = await client.media.upload(file, { fields: { alt_text: 'A cat' }, onProgress: tell });
  id satisfies number;
  await client.media.upload(stream, { fileName: 'cat.png' });
  // @ts-expect-error files have no such field
  await client.media.upload(file, { fields: { altText: 'A cat' } });
  const some = await client.posts.get(3, { _fields: ['id', 'title.rendered'] });
  // @ts-expect-error it may have been left out
  some.title.rendered;
  await client.spamfilter.stats.get('d');
  await client.seo.indexables.get('post', 3);
  // @ts-expect-error of which address?
  await client.oembed.embed.get();
  const { data } = await client.raw.GET('/core/v2/posts/{id}', { params: { path: { id: 3 } } });
  data?.slug satisfies string | undefined;
}

export async function besides({ console: desk, raw }: typeof client): Promise<void> {
  for await (const { state } of desk.webhooks.deliveries.list(3, { state: 'waiting' }))
    state satisfies 'waiting' | 'delivered' | 'given_up';
  const { next } = await desk.submissions.list({ search: 'boats' }).page();
  next satisfies number | null;
  (await desk.sessions.deleteAll()).ended satisfies number;
  (await desk.submissions.export.get({ format: 'csv' })) satisfies string;
  (await desk.applicationPasswords.create({ name: 'Mine' })).password satisfies string;
  await desk.seo.overrides.update('post', 3, { title: 'Chosen' });
  await desk.raw.GET('/console/api/webhooks');
  // @ts-expect-error webhooks have an address
  await desk.webhooks.create({ topics: ['content.post.published'] });
  // @ts-expect-error pages are asked for by `page`
  desk.submissions.list({ older_than: 3 });
  // @ts-expect-error which batch?
  await desk.imports.retry.send('one');
  // @ts-expect-error that stands beside the interface
  await raw.GET('/console/api/webhooks');
}

export const params = (error: SevenfoldError): string[] => Object.keys(error.params);
