// The same through `fluent-wp-client`, whose schemas judge what comes. Prints what came of it.
import { WordPressApiError, WordPressClient } from 'fluent-wp-client';
import * as schemas from 'fluent-wp-client/zod';

const { SITE, USERNAME, PASSWORD, PICTURE } = process.env;
const baseUrl = SITE;
const anonymous = new WordPressClient({ baseUrl });
const site = new WordPressClient({ baseUrl, auth: { username: USERNAME, password: PASSWORD } });
const faults = {};
const judged = (name, schema, value) => {
  const { success, error } = schema.safeParse(value);
  if (!success) faults[name] = error.issues;
  return value;
};
const codeOf = (promise) =>
  promise.then(
    () => 'done',
    (error) => {
      if (!(error instanceof WordPressApiError)) throw error;
      judged('error', schemas.wordPressErrorSchema, error.responseBody);
      return [error.code, error.status];
    },
  );

const content = '<!-- wp:paragraph --><p>tribe_events</p><!-- /wp:paragraph -->';
const made = judged(
  'made',
  schemas.postSchema,
  await site.createPost({ title: 'Fluent', content, status: 'publish' }),
);
await site.createPost({ title: 'Second', status: 'publish' });
const page = judged(
  'page',
  schemas.pageSchema,
  await site.createPage({ title: 'A page', status: 'publish' }),
);
const tag = judged(
  'tag',
  schemas.categorySchema,
  await site.createTerm('tribe_events_cat', { name: 'Talks' }),
);
const file = new Blob([Buffer.from(PICTURE, 'base64')], { type: 'image/png' });
const picture = judged(
  'picture',
  schemas.mediaSchema,
  await site.uploadMedia({ file, filename: 'dot.png', mimeType: 'image/png', alt_text: 'A dot' }),
);
const pages = await site.getPostsPaginated({ perPage: 1 });
const blocks = await site.getPostBySlug(made.slug).getBlocks();
const related = await site.post(made.slug).with('author', 'categories').get();
judged('posts', schemas.postSchema.array(), await anonymous.getPosts());
judged('pages', schemas.pageSchema.array(), await anonymous.getPages());
judged('media', schemas.mediaSchema.array(), await anonymous.getMedia());
judged('categories', schemas.categorySchema.array(), await anonymous.getCategories());
judged('tags', schemas.categorySchema.array(), await anonymous.getTags());
judged('users', schemas.authorSchema.array(), await anonymous.getUsers());
judged('comments', schemas.commentSchema.array(), await anonymous.getComments());
// What a newer engine added (what stands on the front page) is not in the interface.
const older = schemas.settingsSchema.partial({
  show_on_front: true,
  page_on_front: true,
  page_for_posts: true,
});
judged('settings', older, await site.getSettings());

console.log(
  JSON.stringify({
    faults,
    made: made.status,
    page: page.type,
    term: tag.taxonomy,
    picture: picture.mime_type,
    paging: [pages.data.length, pages.total >= 2, pages.totalPages === pages.total],
    all: (await site.getAllPosts({ perPage: 1 })).length === pages.total,
    found: (await anonymous.getPosts({ search: 'fluent' })).map(({ id }) => id === made.id),
    blocks: blocks.map(({ blockName }) => blockName),
    related: Object.keys(related.related).sort(),
    changed: judged('changed', schemas.postSchema, await site.updatePost(made.id, { title: 'Changed' })).title
      .rendered,
    me: (await site.getCurrentUser()).name,
    events:
      (await anonymous.request({ endpoint: '/wp-json/tribe/events/v1/events', method: 'GET' })).data.total >=
      0,
    deleted: (await site.deletePost(made.id, { force: true })).deleted,
    refused: [
      await codeOf(anonymous.createPost({ title: 'no' })),
      await codeOf(anonymous.getPost(made.id)),
      await codeOf(
        new WordPressClient({ baseUrl, auth: { username: USERNAME, password: 'wrong' } }).getPosts(),
      ),
    ],
  }),
);
