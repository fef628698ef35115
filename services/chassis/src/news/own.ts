/** The news of a service's own database, as what it keeps and what it tells of. */
import type { Listener } from '../db/listen';
import type { HeardNews } from '../http/remembered';
import type { NewsDesk } from './desk';

/** Empty unless all of them are known. */
export function heardOf(own: string, others: Readonly<Record<string, string>> = {}): string {
  const all = Object.entries(others);
  if (own === '' || all.some(([, id]) => id === '')) return '';
  return [own, ...all.map(([service, id]) => `${service}=${id}`)].join(' ');
}

export const ownNews = ({ record, knows }: NewsDesk, { caughtUp, giveUp }: Listener): HeardNews => ({
  record,
  isSure: () => true,
  knows,
  caughtUp,
  doubt: giveUp,
});
