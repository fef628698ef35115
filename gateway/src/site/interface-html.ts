/** The part of the front page that is for whoever has just started the site: where its interface is, and how to begin with it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { escapeHtml } from '@sevenfold/text/html';
import { EXPLORER } from '../explorer/explorer';
import { linkHtml } from './document';

const { version } = JSON.parse(readFileSync(path.join(__dirname, '../../package.json'), 'utf8')) as {
  version: string;
};

/** What needs the rights of a user comes after what everybody may. */
const TOUR = [
  ['Posts, with their authors and terms in them', "curl 'SITE/rest/core/v2/posts?_embed&per_page=2'"],
  ['What is to come', 'curl SITE/rest/calendar/events/v1/events'],
  [
    'Send the contact form',
    `curl SITE/rest/contact-form/v1/contact-forms/1/feedback -F your-name=Ann -F your-email=ann@example.org -F your-subject=Hello -F your-message=Hello`,
  ],
  [
    'Write a post, with the application password that the first start printed',
    `curl -u 'admin:APPLICATION PASSWORD' SITE/rest/core/v2/posts -d title=Hello -d status=publish`,
  ],
] as const;

export function interfaceHtml(siteUrl: string, hasExplorer: boolean): string {
  const steps = TOUR.map(
    ([what, command]) =>
      `<p>${escapeHtml(what)}:</p><pre tabindex="0">${escapeHtml(command.replaceAll('SITE', siteUrl))}</pre>`,
  );
  return [
    '<section><h2>For programs</h2>',
    `<p>This site is read and written over its interface at ${linkHtml(`${siteUrl}/rest/`, `${siteUrl}/rest/`)},`,
    `described as ${linkHtml(`${siteUrl}/openapi/`, 'OpenAPI 3.1')}.`,
    hasExplorer ? `It can be ${linkHtml(`${siteUrl}${EXPLORER}`, 'read and tried')} in a browser.` : '',
    `It is made by Sevenfold ${escapeHtml(version)}.</p>`,
    '<details><summary>A tour with curl</summary>',
    ...steps,
    '<p>README.md goes on from here: events, imports, moving a whole site in.</p></details></section>',
  ].join('\n');
}
