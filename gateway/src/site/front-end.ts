/** With a front end that makes the pages of the site, every address that nobody else answers leads there. */
import type { SiteAddress } from './address';

export const frontEnd: SiteAddress = {
  name: 'front end',
  read: ({ path }) => (path.startsWith('/') ? path : undefined),
  answer: async (path, { query }, { frontendUrl }) => {
    const address = `${frontendUrl}${path}${query === '' ? '' : `?${query}`}`;
    // A path cannot make another host of it: the address of the front end ends before it begins.
    if (frontendUrl === '' || !URL.canParse(address)) return undefined;
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
