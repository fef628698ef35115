/** Names of web servers, with a port or without: `www.` before one is the same site, and people leave it out or not. */
export const withoutWww = (host: string): string => host.toLowerCase().replace(/^www\./, '');
