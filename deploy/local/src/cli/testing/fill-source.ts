/** Some of everything that moves, with its links, in every status. */
import type { Speaker } from '@sevenfold/chassis/testing/service';
import { picture } from '@sevenfold/content/media/testing/pictures';
import type { SourceSite } from './source-site';

export interface Filled {
  readonly posts: number[];
  readonly picture: number;
  readonly event: number;
}

export async function fillSource(source: SourceSite): Promise<Filled> {
  const content = source.content.by('administrator');
  const calendar = source.calendar.by('administrator');
  const author = source.users.author.id;
  // No user of an interface is without.
  await source.content.deps.db.run('update users set nickname = username');
  const outer = await made(content, '/categories', { name: 'R&D', description: 'All of <em>it</em>' });
  const inner = await made(content, '/categories', { name: 'Inner', slug: 'inner', parent: outer });
  const quiet = await made(content, '/tags', { name: 'quiet' });
  const music = await made(content, '/calendar_events_cat', { name: 'Music' });
  const upload = await content.post('/media', await picture(400, 300), {
    'Content-Disposition': 'attachment; filename="old sea.png"',
    'Content-Type': 'image/png',
  });
  const sea = upload.body.id as number;
  const posts: number[] = [];
  for (let n = 0; n < 12; n++)
    posts.push(
      await made(content, '/posts', {
        title: `Post ${n} & <em>more</em>`,
        content: `One.\n\nTwo "quoted" 2x4 :)\n\n<a href="${source.address}/?p=1">link</a>`,
        excerpt: n % 2 ? 'Short.' : '',
        status: (['publish', 'publish', 'draft', 'pending', 'private', 'future'] as const)[n % 6],
        ...(n % 6 === 5 && { date: '2035-01-02T03:04:05' }),
        ...(n % 6 === 0 && { date: `2020-01-02T03:04:0${n % 10}`, featured_media: sea }),
        author: n % 2 ? author : undefined,
        categories: n % 3 ? [inner, outer] : [],
        tags: n % 4 ? [] : [quiet],
        format: n === 1 ? 'aside' : 'standard',
        sticky: n === 1,
        comment_status: n === 2 ? 'closed' : 'open',
        ...(n === 7 && { password: 'open' }),
      }),
    );
  await content.post(`/media/${sea}`, {
    alt_text: 'The sea',
    caption: 'Waves',
    description: 'By the sea.',
    post: posts[0],
  });
  await content.delete(
    `/posts/${await made(content, '/posts', { title: 'Thrown away', status: 'publish' })}`,
  );
  const above = await made(content, '/pages', { title: 'Above', status: 'publish', menu_order: 3 });
  const below = await made(content, '/pages', { title: 'Below', status: 'publish', parent: above });
  await made(content, '/pages', { title: 'Lowest', status: 'publish', parent: below });
  let parent = 0;
  for (let n = 0; n < 8; n++)
    parent = await made(content, '/comments', {
      post: posts[0],
      parent: n % 4 ? parent : 0,
      content: `Remark ${n}\nwith <a href="${source.address}/?p=${posts[0]}" rel="nofollow ugc">a link</a>`,
      author_name: `Reader ${n}`,
      author_email: `reader${n}@elsewhere.example`,
      author_url: 'https://reader.example/',
    });
  await content.post(`/comments/${parent}`, { status: 'hold' });
  const hall = await made(calendar, '/venues', {
    venue: 'Hall & Garden',
    description: 'Large.',
    address: 'Square 1',
    city: 'Bern',
    country: 'Switzerland',
    province: 'BE',
    zip: '3000',
    phone: '12',
    website: 'https://hall.example/',
    image: sea,
  });
  const band = await made(calendar, '/organizers', {
    organizer: 'Band',
    email: 'band@site.test',
    phone: '3',
  });
  const choir = await made(calendar, '/organizers', {
    organizer: 'Choir',
    website: 'https://choir.example/',
  });
  let event = 0;
  for (let n = 0; n < 6; n++)
    event = await made(calendar, '/events', {
      title: `Concert ${n}`,
      description: 'All evening.\n\nBring "friends".',
      excerpt: 'Music',
      start_date: `203${n}-05-06 19:30:00`,
      end_date: `203${n}-05-06 22:00:00`,
      timezone: n % 2 ? 'Europe/Berlin' : 'America/New_York',
      all_day: n === 3,
      cost: (['12€', '$5 - $15', 'Free', '12', '', '1,000'] as const)[n],
      ...(n % 2 && { website: 'https://concert.example/' }),
      status: n === 4 ? 'draft' : 'publish',
      featured: n === 1,
      show_map: n !== 2,
      categories: [music],
      tags: [quiet],
      venue: hall,
      organizer: [choir, band],
      image: sea,
    });
  return { posts, picture: sea, event };
}

async function made(speaker: Speaker, place: string, body: object): Promise<number> {
  const answer = await speaker.post(place, body);
  if (answer.status !== 201) throw new Error(`${place}: ${answer.status} ${answer.text}`);
  return (answer.body as { id: number }).id;
}
