/** The domain from which a site may send mail: its own. */
import { isIP } from 'node:net';
import { withoutWww } from '@sevenfold/text/site-host';

/** A site that has no domain, as on one's own machine, gets one in which nobody is. */
const NOWHERE = 'localhost.localdomain';

export function mailDomain(siteUrl: string): string {
  const host = withoutWww(new URL(siteUrl).hostname);
  return host.includes('.') && isIP(host) === 0 ? host : NOWHERE;
}

/** Whether mail from the address is mail from the site: of its domain, one below, or the one above it. */
export function isOfSite(address: string, siteUrl: string): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  const own = mailDomain(siteUrl);
  const above = domain.includes('.') && own.endsWith(`.${domain}`);
  return domain === own || domain.endsWith(`.${own}`) || above;
}
