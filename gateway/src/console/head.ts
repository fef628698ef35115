/** The head of any public address of the site, for front ends that make its pages themselves. Everybody may read it. */
import { type Resource, anyone, passingOn, reply, route } from '@sevenfold/chassis/http/route';
import { anyObject, described, object, text } from '@sevenfold/chassis/http/shapes';
import { openSeen } from '@sevenfold/chassis/news/seen';
import { errors } from '../edge/errors';
import { headAt } from '../site/head-at';
import type { ConsoleDeps } from './deps';

const LONGEST_ADDRESS = 4_096;

const headShape = object({
  html: described('Elements of the head: title, meta, link and structured data.', text),
  json: described('The same as data.', { ...anyObject, additionalProperties: true }),
});

export const heads: Resource<ConsoleDeps> = {
  name: 'head',
  description: 'Heads of public addresses, for front ends that make the pages of the site themselves.',
  routes: [
    route({
      methods: ['GET'],
      path: '/head',
      summary:
        'Everything that belongs into the head of a page of the site, also of one that says that nothing is there, as data or, if asked for, as HTML',
      description:
        'With `Accept: text/html` the elements alone, to be put into a page. Where nothing public stands at the address it is 404, with the head for a page that says so.',
      answers: { body: headShape, types: ['text/html'], typedErrors: [404], refuses: [404] },
      args: {
        url: {
          type: 'string',
          required: true,
          minLength: 1,
          maxLength: LONGEST_ADDRESS,
          description: 'Public address of the site, whole or from the path on.',
        },
      },
      permission: anyone,
      handle: async ({ deps, args, request }) => {
        const seen = openSeen();
        const { found, html, json } = await headAt(args.url, request.id, deps.site, seen);
        if (prefersHtml(request.headers.accept)) {
          const elements = reply.text(html, 'text/html; charset=UTF-8', found ? 200 : 404, {
            Vary: 'Accept',
            // Elements to be put into a page; by themselves they do nothing.
            'Content-Security-Policy': "default-src 'none'; sandbox",
          });
          return passingOn(elements, seen);
        }
        const head = { html, json: JSON.parse(json) as unknown };
        // Whoever makes the page that says so needs a head for it, too.
        if (!found) throw errors.nothingThere(head);
        return passingOn(reply.plain(head, 200, { Vary: 'Accept' }), seen);
      },
    }),
  ],
};

/** Below `/console/api`, as the road reads it. */
export const isHead = (path: string): boolean => /^\/head\/*$/.test(path);

/** Named before JSON: browsers and scripts that take anything get data. */
export function prefersHtml(accept = ''): boolean {
  const html = accept.search(/text\/html/i);
  const json = accept.search(/application\/json/i);
  return html >= 0 && (json < 0 || html < json);
}
