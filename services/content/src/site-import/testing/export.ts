/** Exports as tests want them, well-formed and not. */

export const cdata = (text: string): string => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;

export interface SampleItem {
  readonly id: number | string;
  readonly type: string;
  readonly status?: string;
  readonly title?: string;
  readonly content?: string;
  readonly slug?: string;
  readonly parent?: number;
  readonly creator?: string;
  readonly link?: string;
  readonly extra?: string;
  readonly meta?: Readonly<Record<string, string | readonly string[]>>;
  readonly date?: string;
}

export const item = ({
  id,
  type,
  status = 'publish',
  title = `Title ${id}`,
  content = `Words of ${id}`,
  slug = `slug-${id}`,
  parent = 0,
  creator = 'iris',
  link = `https://old.example/${slug}/`,
  extra = '',
  meta = {},
  date = '2015-03-04 05:06:07',
}: SampleItem): string => `
  <item>
    <title>${cdata(title)}</title><link>${link}</link><dc:creator>${cdata(creator)}</dc:creator>
    <guid isPermaLink="false">https://old.example/?p=${id}</guid>
    <content:encoded>${cdata(content)}</content:encoded><excerpt:encoded>${cdata('')}</excerpt:encoded>
    <wp:post_id>${id}</wp:post_id><wp:post_date>${date}</wp:post_date><wp:post_date_gmt>${date}</wp:post_date_gmt>
    <wp:comment_status>open</wp:comment_status><wp:ping_status>closed</wp:ping_status><wp:post_name>${slug}</wp:post_name>
    <wp:status>${status}</wp:status><wp:post_parent>${parent}</wp:post_parent><wp:menu_order>3</wp:menu_order>
    <wp:post_type>${type}</wp:post_type><wp:post_password></wp:post_password><wp:is_sticky>0</wp:is_sticky>${metas(meta)}${extra}
  </item>`;

const metas = (meta: NonNullable<SampleItem['meta']>): string =>
  Object.entries(meta)
    .flatMap(([key, values]) => [values].flat().map((value) => [key, value]))
    .map(
      ([key, value]) => `
    <wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value>${cdata(value as string)}</wp:meta_value></wp:postmeta>`,
    )
    .join('');

export const file = (id: number, url: string, more: Partial<SampleItem> = {}): string =>
  item({
    id,
    type: 'attachment',
    status: 'inherit',
    ...more,
    extra: `<wp:attachment_url>${url}</wp:attachment_url>${more.extra ?? ''}`,
  });

export interface SampleComment {
  readonly approved?: string;
  readonly email?: string;
  readonly user?: number;
  readonly content?: string;
  readonly author?: string;
  readonly url?: string;
}

export const comment = (
  id: number,
  parent: number,
  {
    approved = '1',
    email = 'reader@old.example',
    user = 0,
    content = `Remark ${id}`,
    author = 'Reader',
    url = '',
  }: SampleComment = {},
): string => `
  <wp:comment><wp:comment_id>${id}</wp:comment_id><wp:comment_author>${cdata(author)}</wp:comment_author>
    <wp:comment_author_email>${email}</wp:comment_author_email><wp:comment_author_url>${cdata(url)}</wp:comment_author_url>
    <wp:comment_author_IP>192.0.2.7</wp:comment_author_IP><wp:comment_date>2015-03-05 05:06:07</wp:comment_date>
    <wp:comment_date_gmt>2015-03-05 05:06:07</wp:comment_date_gmt><wp:comment_content>${cdata(content)}</wp:comment_content>
    <wp:comment_approved>${approved}</wp:comment_approved><wp:comment_type></wp:comment_type><wp:comment_parent>${parent}</wp:comment_parent>
    <wp:comment_user_id>${user}</wp:comment_user_id></wp:comment>`;

export const category = (id: number, slug: string, parent = '', name = slug): string =>
  `<wp:category><wp:term_id>${id}</wp:term_id><wp:category_nicename>${slug}</wp:category_nicename><wp:category_parent>${parent}</wp:category_parent><wp:cat_name>${cdata(name)}</wp:cat_name></wp:category>`;

export interface SampleExport {
  readonly items: readonly string[];
  /** Between the address and the items. */
  readonly head?: string;
  readonly encoding?: string;
  readonly version?: string;
  readonly address?: string;
}

export const author = `<wp:author><wp:author_id>5</wp:author_id><wp:author_login>iris</wp:author_login><wp:author_email>iris@old.example</wp:author_email>
    <wp:author_display_name>${cdata('Iris Ölander')}</wp:author_display_name><wp:author_first_name></wp:author_first_name><wp:author_last_name></wp:author_last_name></wp:author>`;

export const addressed = (address: string): string =>
  `<link>${address}</link><wp:base_site_url>${address}</wp:base_site_url><wp:base_blog_url>${address}</wp:base_blog_url>`;

export const exportOf = ({
  items,
  head = author,
  encoding = 'UTF-8',
  version = '1.2',
  address = addressed('https://old.example'),
}: SampleExport): string => `<?xml version="1.0" encoding="${encoding}"?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/${version}/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/${version}/"><channel>
  <title>Old site</title><wp:wxr_version>${version}</wp:wxr_version>
  ${address}
  ${head}
  ${items.join('')}</channel></rss>
`;
