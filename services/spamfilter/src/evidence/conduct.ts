/* How the message was sent, as far as its form and its program tell; and what its links look like. No I/O. */
import { withoutWww } from '@sevenfold/text/site-host';
import type { Message } from '../checks/message';
import type { Written } from '../classifier/words';
import { domainOf } from '../classifier/words';
import type { Evidence } from './evidence';

/** Weights are judgements, sized by what follows from each alone: 1 hardly anything, 3 the spam folder, 6 no doubt. */
export function conductOf(message: Message, written: Written): Evidence[] {
  return [...honeypot(message), ...timeToFill(message), ...agent(message), ...links(message, written)];
}

const honeypot = ({ honeypot: filled }: Message): Evidence[] =>
  filled ? [{ name: 'honeypot', weight: 6, detail: 'A field that nobody sees was filled in.' }] : [];

function timeToFill({ secondsToFill: seconds }: Message): Evidence[] {
  // Nothing follows from hours: pages lie open, and in caches.
  if (seconds === 0 || seconds >= 5) return [];
  const weight = seconds < 2 ? 3 : 1;
  return [{ name: 'time_to_fill', weight, detail: `Filled in within ${seconds.toFixed(1)} seconds.` }];
}

function agent({ userAgent, kind }: Message): Evidence[] {
  if (userAgent.length >= 2) return [];
  // Browsers always send one. Comments also come from programs of the site's own.
  const weight = kind === 'contact-form' ? 4 : 0.5;
  return [{ name: 'user_agent', weight, detail: 'The sender names no program.' }];
}

/** The first link is nothing; comments that are hardly more than links are what they look like. */
function links(message: Message, { linkCount, words, bulletinCodes, links: list }: Written): Evidence[] {
  const own = siteOf(message.permalink);
  const foreign = linkCount - list.filter(({ host }) => domainOf(host) === own).length;
  if (foreign <= 0) return [];
  const many = Math.min(3, (foreign - 1) * 0.6);
  const dense = words.length < foreign * 6 ? 1 : 0;
  const coded = bulletinCodes > 0 ? 1 : 0;
  const weight = many + dense + coded;
  if (weight === 0) return [];
  const detail = `${foreign} ${foreign === 1 ? 'link' : 'links'} in ${words.length} words${coded ? ', as bulletin codes' : ''}.`;
  return [{ name: 'links', weight, detail }];
}

function siteOf(permalink: string): string {
  try {
    return domainOf(withoutWww(new URL(permalink).hostname));
  } catch {
    return '';
  }
}
