/** What an import tells in the end, for people and for programs. */
import type { Omission, Report } from '@sevenfold/content/site-import/report';
import type { Verified } from '../live-site/verify';
import { printTable } from './output';

/** Kinds of the export, one and several. */
const NOUNS: Readonly<Record<string, readonly [string, string]>> = {
  user: ['user', 'users'],
  category: ['category', 'categories'],
  post_tag: ['tag', 'tags'],
  calendar_events_cat: ['event category', 'event categories'],
  term: ['term', 'terms'],
  post: ['post', 'posts'],
  page: ['page', 'pages'],
  attachment: ['attachment', 'attachments'],
  comment: ['comment', 'comments'],
  event: ['event', 'events'],
  venue: ['venue', 'venues'],
  organizer: ['organizer', 'organizers'],
  nav_menu_item: ['menu item', 'menu items'],
  revision: ['revision', 'revisions'],
  link: ['link', 'links'],
  file: ['file', 'files'],
  meta: ['thing with meta fields', 'things with meta fields'],
  item: ['thing', 'things'],
};

const noun = (kind: string, n: number): string => NOUNS[kind]?.[n === 1 ? 0 : 1] ?? kind;

export const summaryOf = (report: Report): object => ({
  created: Object.fromEntries(report.created),
  known: Object.fromEntries(report.known),
  updated: Object.fromEntries(report.updated),
  done: Object.fromEntries(report.done),
  skipped: report.omissions().map(({ kind, reason, count, examples }) => ({
    kind,
    reason,
    count,
    examples: examples.map(({ title, line }) => ({ title, line })),
  })),
});

const SHOWN = 5;

export function printReport(report: Report): void {
  const numbers = (counts: ReadonlyMap<string, number>): string =>
    [...counts].map(([kind, n]) => `${n} ${noun(kind, n)}`).join(', ') || 'nothing';
  console.log(`created: ${numbers(report.created)}`);
  console.log(`here already: ${numbers(report.known)}`);
  if (report.updated.size > 0) console.log(`brought up to date: ${numbers(report.updated)}`);
  for (const [what, n] of report.done) console.log(`${what}: ${n}`);
  console.log(`skipped: ${report.skippedCount()}`);
  for (const omission of report.omissions()) printOmission(omission);
}

function printOmission({ kind, reason, count, examples }: Omission): void {
  console.log(`  ${count} ${noun(kind, count)}: ${oneLine(reason)}`);
  for (const { title, line } of examples.slice(0, SHOWN))
    console.log(
      `      ${[oneLine(title), ...(line > 0 ? [`line ${line}`] : [])].filter(Boolean).join(', ')}`,
    );
}

export function printVerified({ counts, differences }: Verified): void {
  printTable(counts.map(({ kind, there, here, compared }) => ({ kind, there, here, compared })));
  for (const { kind, there, here, differs } of counts)
    if (differs) console.log(`not as many: ${there} ${noun(kind, there)} there, ${here} here`);
  console.log(
    differences.length === 0 ? 'nothing that was compared differs' : `differ: ${differences.length}`,
  );
  for (const { kind, foreignId, id, field, there, here } of differences.slice(0, MOST_DIFFERENCES))
    console.log(
      `  ${kind} ${foreignId}, here ${id}${field && `, ${field}`}: «${oneLine(there)}» there, «${oneLine(here)}» here`,
    );
}

const MOST_DIFFERENCES = 50;

/** Whatever an export calls its things, it says nothing to the terminal. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 200);
