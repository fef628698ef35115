/** What a page shows of an item or of a list of items, as HTML. Texts of the owners are sanitised; all else is escaped here. */
import type {
  CalendarObject,
  EventDetails,
  PlaceDetails,
} from '@sevenfold/proto/gen/sevenfold/calendar/v1/events';
import type { User } from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import type { Picture, Post } from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
import type { SiteFacts } from '@sevenfold/proto/gen/sevenfold/content/v1/site';
import type { Term } from '@sevenfold/proto/gen/sevenfold/content/v1/terms';
import { decodeEntities, escapeAttribute, escapeHtml, stripTags } from '@sevenfold/text/html';
import { textOf } from '@sevenfold/text/markup';
import { truncateWords } from '@sevenfold/text/text';
import { MOST_ON_A_PAGE } from '@sevenfold/text/told';
import type { ArchiveFound, CalendarFound, Found, PostFound } from './ask';
import { dayHtml, spanHtml } from './dates';
import { linkHtml } from './document';

const EXCERPT_WORDS = 55;

/** Title of a post or event, which is HTML, as text. Never empty: there has to be something to follow. */
const titleText = (html: string, link: string): string => decodeEntities(stripTags(html)).trim() || link;

export const titleOfPost = ({ title, link, hasPassword }: Post): string =>
  `${hasPassword ? 'Protected: ' : ''}${titleText(title, link)}`;

/** Names of places and organizers are text. */
export const titleOfObject = ({ type, title, link }: CalendarObject): string =>
  type === 'event' ? titleText(title, link) : title.trim() || link;

export const shortText = (html: string): string =>
  truncateWords(decodeEntities(textOf(html, ' ')).replace(/\s+/g, ' ').trim(), EXCERPT_WORDS);

export function mainHtml(found: Found, facts: SiteFacts): string {
  if (found.kind === 'post') return postHtml(found, facts);
  return found.kind === 'calendar' ? objectHtml(found, facts) : archiveHtml(found, facts);
}

function postHtml({ post, terms, file }: PostFound, { timezone, language }: SiteFacts): string {
  const heading = `<h1>${escapeHtml(titleOfPost(post))}</h1>`;
  if (post.hasPassword) return article(heading, '<p>A password protects the text of this page.</p>');
  const meta = [
    post.type === 'page' ? '' : dayHtml(post.dateGmt, timezone, language),
    post.authorName === '' || post.type === 'page'
      ? ''
      : `By ${linkHtml(post.authorLink, decodeEntities(post.authorName))}`,
  ];
  return article(
    heading,
    metaHtml(meta),
    post.type === 'attachment' ? fileHtml(post, file) : pictureHtml(post.picture),
    textHtml(post.content, post.excerpt),
    termsHtml(terms),
  );
}

function objectHtml(found: CalendarFound, facts: SiteFacts): string {
  const { object, related, terms, author, picture, upcoming } = found;
  const { event, place, website, phone } = object;
  const fact = (name: string, html: string): string =>
    html === '' ? '' : `<dt>${name}</dt><dd>${html}</dd>`;
  const list = [
    event ? eventFacts(event, related, facts.language, fact) : '',
    place ? fact('Address', escapeHtml(addressOf(place))) : '',
    fact('Telephone', escapeHtml(phone)),
    website === '' ? '' : fact('Web site', linkHtml(website, website)),
  ].join('');
  return (
    article(
      `<h1>${escapeHtml(titleOfObject(object))}</h1>`,
      metaHtml([event && author ? `By ${authorHtml(author)}` : '']),
      list === '' ? '' : `<dl>${list}</dl>`,
      picture ? pictureHtml(picture) : '',
      textHtml(object.description, object.excerpt),
      termsHtml(terms),
    ) + upcomingHtml(upcoming, facts)
  );
}

/** Who has published nothing but events has no page. */
const authorHtml = ({ link, name, published }: User): string =>
  published ? linkHtml(link, decodeEntities(name)) : escapeHtml(decodeEntities(name));

const upcomingHtml = (events: readonly CalendarObject[], facts: SiteFacts): string =>
  events.length === 0 ? '' : `<section><h2>Upcoming events</h2>${eventsHtml(events, facts, 'h3')}</section>`;

function eventFacts(
  event: EventDetails,
  related: readonly CalendarObject[],
  language: string,
  fact: (name: string, html: string) => string,
): string {
  const named = (object: CalendarObject): string => linkHtml(object.link, titleOfObject(object));
  const venue = related.find(({ id }) => id === event.venueId);
  const where = venue ? [named(venue), escapeHtml(venue.place ? addressOf(venue.place) : '')] : [];
  const organizers = event.organizerIds.flatMap((id) => related.filter((object) => object.id === id));
  const { cost, currency } = event;
  const price = cost === '' || currency === '' || cost.includes(currency) ? cost : `${currency} ${cost}`;
  return [
    fact('When', spanHtml(event, language)),
    fact('Where', where.filter((part) => part !== '').join('<br>')),
    fact(organizers.length > 1 ? 'Organizers' : 'Organizer', organizers.map(named).join('<br>')),
    fact('Cost', escapeHtml(price)),
  ].join('');
}

const addressOf = ({ address, zip, city, region, country }: PlaceDetails): string =>
  [address, `${zip} ${city}`.trim(), region, country].filter((part) => part !== '').join(', ');

function archiveHtml({ archive, events }: ArchiveFound, facts: SiteFacts): string {
  const { kind, title, description, items, page, pages, link } = archive;
  const name = kind === 'home' ? facts.title : title;
  const about = shortText(description);
  const list =
    kind === 'calendar_events_cat'
      ? eventsHtml(events, facts, 'h2')
      : items.map((post) => entryHtml(post, facts)).join('\n') + upcomingHtml(events, facts);
  const step = (to: number, words: string): string =>
    to < 1 || to > pages ? '' : `<li><a href="${escapeAttribute(pageLink(link, to))}">${words}</a></li>`;
  const steps = step(page - 1, 'Previous page') + step(page + 1, 'Next page');
  return [
    `<h1>${escapeHtml(name)}${page > 1 ? ` – page ${page}` : ''}</h1>`,
    about === '' ? '' : `<p>${escapeHtml(about)}</p>`,
    list === '' ? '<p>There is nothing here yet.</p>' : list,
    steps === '' ? '' : `<nav aria-label="Pages"><ul>${steps}</ul></nav>`,
  ].join('\n');
}

export const pageLink = (link: string, page: number): string => (page > 1 ? `${link}page/${page}/` : link);

const entryHtml = (post: Post, { timezone, language }: SiteFacts): string =>
  article(
    `<h2>${linkHtml(post.link, titleOfPost(post))}</h2>`,
    metaHtml([dayHtml(post.dateGmt, timezone, language)]),
    paragraph(post.hasPassword ? '' : shortText(post.excerpt)),
  );

const eventsHtml = (
  events: readonly CalendarObject[],
  { language }: SiteFacts,
  heading: 'h2' | 'h3',
): string =>
  events
    .map((object) =>
      article(
        `<${heading}>${linkHtml(object.link, titleOfObject(object))}</${heading}>`,
        metaHtml([object.event ? spanHtml(object.event, language) : '']),
        paragraph(shortText(object.excerpt)),
      ),
    )
    .join('\n');

const article = (...parts: readonly string[]): string =>
  `<article>${parts.filter((part) => part !== '').join('\n')}</article>`;
const paragraph = (text: string): string => (text === '' ? '' : `<p>${escapeHtml(text)}</p>`);

function metaHtml(parts: readonly string[]): string {
  const given = parts.filter((part) => part !== '');
  return given.length === 0 ? '' : `<p class="meta">${given.join(' · ')}</p>`;
}

function textHtml(content: string, excerpt: string): string {
  if (content.length > MOST_ON_A_PAGE)
    return `${paragraph(shortText(excerpt))}<p>The text is too long to be shown here.</p>`;
  return content.trim() === '' ? '' : `<div>${content}</div>`;
}

const pictureHtml = (picture: Pick<Picture, 'url' | 'altText' | 'width' | 'height'> | undefined): string =>
  picture && /^https?:\/\//i.test(picture.url)
    ? `<figure><img src="${escapeAttribute(picture.url)}" alt="${escapeAttribute(picture.altText)}"${
        picture.width > 0 && picture.height > 0 ? ` width="${picture.width}" height="${picture.height}"` : ''
      }></figure>`
    : '';

/** A picture, or the way to the file. */
const fileHtml = ({ picture, title, link }: Post, file: PostFound['file']): string =>
  picture
    ? pictureHtml(picture)
    : file
      ? `<p>${linkHtml(file.url, titleText(title, link))} (${escapeHtml(file.type)})</p>`
      : '';

const termsHtml = (terms: readonly Term[]): string =>
  terms.length === 0
    ? ''
    : `<nav aria-label="Filed under"><ul>${terms
        .map(({ link, name }) => `<li>${linkHtml(link, decodeEntities(name))}</li>`)
        .join('')}</ul></nav>`;
