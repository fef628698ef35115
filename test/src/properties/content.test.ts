/** No input gives a 500: every argument of every route of the content service, tried with everything. */
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';
import type { ContentSite } from '@sevenfold/content/testing/service';
import { makeComment, makePost, makeTerm } from '@sevenfold/content/testing/factories';
import { contentService } from '@sevenfold/content/service';
import type { Resource } from '@sevenfold/chassis/http/route';
import { declareNo500 } from '../support/no-500';

// The terms of events are the calendar's to tell.
let calendar: CalendarSite;
let site: ContentSite;
const known: Record<string, number> = {};

beforeAll(async () => {
  calendar = await startCalendar();
  site = calendar.content;
  const { db } = site.deps;
  known.posts = (await makePost(db, { author: site.users.author.id })).id;
  known.pages = (await makePost(db, { type: 'page', path: 'a-page', slug: 'a-page' })).id;
  known.comments = (await makeComment(db, { post: known.posts })).id;
  known.categories = (await makeTerm(db)).id;
  known.tags = (await makeTerm(db, { taxonomy: 'post_tag' })).id;
  known.calendar_events_cat = (await makeTerm(db, { taxonomy: 'calendar_events_cat' })).id;
  known.users = site.users.subscriber.id;
});
afterAll(() => calendar.stop());

declareNo500(contentService.resources as readonly Resource<never>[], () => ({
  as: (actor) => site.as(actor),
  actor: site.users.administrator,
  existing: (variable, path) => {
    if (variable === 'type') return 'post';
    if (variable === 'status') return 'publish';
    if (variable === 'taxonomy') return 'category';
    return known[path.split('/')[1] ?? ''] ?? 1;
  },
}));
