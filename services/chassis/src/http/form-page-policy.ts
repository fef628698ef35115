/**
 * Policy (CSP) of a page that is there for a form: nothing runs on it, and what is filled in goes to the site alone. Browsers ask for
 * the ways back, too, since a redirect after a form is one of its ways to them, and stop those to origins that are not `listed`. It may
 * stand in a frame of any page: nobody is known here who could be tricked. `styleSource` is what `hashSource` says of its style.
 */
export const formPagePolicy = (styleSource: string, listed: Iterable<string>): string =>
  [
    `default-src 'none'`,
    `style-src ${styleSource}`,
    `img-src 'self' https: data:`,
    ['form-action', `'self'`, ...listed].join(' '),
    `base-uri 'none'`,
  ].join('; ');
