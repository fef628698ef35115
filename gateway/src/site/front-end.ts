/** With a front end that makes the pages of the site, every address that nobody else answers leads there. */
import type { SiteAddress } from './address';

export const frontEnd: SiteAddress = {
  name: 'front end',
  read: ({ path }) => (path.startsWith('/') ? path : undefined),
  answer: async (path, { query }, { frontendUrl }) => {
    const address = `${frontendUrl}${path}${query === '' ? '' : `?${query}`}`;
    if (frontendUrl === '' || !URL.canParse(address)) return undefined;
    // Dots lead no higher than the front end is, and a path makes no other host of it.
    if (!new URL(address).href.startsWith(new URL(`${frontendUrl}/`).href)) return undefined;
    return {
      status: 302,
      headers: {
        Allow: 'GET',
        Location: new URL(address).href,
        'Content-Type': 'text/html; charset=UTF-8',
        'Cache-Control': 'no-cache',
      },
      body: Buffer.alloc(0),
      page: true,
    };
  },
};
