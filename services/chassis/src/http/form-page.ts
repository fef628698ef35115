/** Pages that are there for a form, whoever makes them: the gateway shows one for frames, the service of forms the answer to it. */
import type { IncomingHttpHeaders } from 'node:http';

/** Asked for by browsers that go from page to page; scripts and programs ask for JSON, or for anything. */
export const wantsPage = ({ accept = '' }: IncomingHttpHeaders): boolean =>
  /\btext\/html\b/i.test(accept) && !/\bapplication\/(?:[\w.+-]+\+)?json\b/i.test(accept);

/** Nothing in it is wider than a narrow phone, whatever words a form has. */
export const FORM_STYLE = `:root{background:Canvas;color:CanvasText;color-scheme:light dark}
body{overflow-wrap:anywhere}
input:not([type=checkbox],[type=radio],[type=submit]),textarea,select{box-sizing:border-box;font:inherit;max-width:100%;width:100%}
fieldset{min-width:0}img{height:auto;max-width:100%}pre,table{display:block;max-width:100%;overflow-x:auto}
[type=submit]{max-width:100%;white-space:normal}`;

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
