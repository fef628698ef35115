/**
 * The answers for browsers that sent a form without a script: a small page with the result, on which the form stands
 * again with what was filled in, and the way back to where it came from. Only places that are known to be ours are ways
 * back: anybody can make a form that posts here.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { FORM_STYLE, formPagePolicy } from '@sevenfold/chassis/http/form-page';
import { hashSource } from '@sevenfold/chassis/http/hash-source';
import { readOrigins } from '@sevenfold/chassis/http/origins';
import { type Reply, reply } from '@sevenfold/chassis/http/route';
import { languageAttributes } from '@sevenfold/text/direction';
import { escapeAttribute, escapeHtml } from '@sevenfold/text/html';
import type { Deps } from '../deps';
import { renderedForm } from '../forms/render';
import type { FormRow } from '../forms/store';
import { HIDDEN, unitTag } from '../tags/render';
import { containerOf, shownAtOf } from './place';
import type { Posted } from './posted';
import type { Outcome, Sender } from './submit';

/** Where the form wants its sender to go, if that is one of our places. */
export const wayBack = (deps: Deps, posted: Posted): string | undefined =>
  placeIn(deps, posted, HIDDEN.returnUrl);

function placeIn(deps: Deps, posted: Posted, field: string): string | undefined {
  const wanted = Object.hasOwn(posted.fields, field) ? posted.fields[field] : undefined;
  return typeof wanted === 'string' && wanted !== '' ? ownPlace(deps, wanted) : undefined;
}

/** Of an answer like this one, by whatever profile: nothing is to be read there. */
const FEEDBACK = /\/contact-forms\/\d+\/feedback\/?$/;

/** The page on which the form stood first. What is sent from an answer comes from there by itself, and says where it was before. */
function cameFrom(deps: Deps, { referer = '' }: IncomingHttpHeaders, posted: Posted): string | undefined {
  const before = placeIn(deps, posted, HIDDEN.cameFrom) ?? ownPlace(deps, referer);
  if (before === undefined) return undefined;
  const { pathname, searchParams } = new URL(before);
  return FEEDBACK.test(searchParams.get('rest_route') ?? pathname) ? undefined : before;
}

/** The address, whole, where it is on the site or on a listed origin. */
function ownPlace(deps: Deps, address: string): string | undefined {
  const { siteUrl } = deps;
  if (/[\u0000-\u0020\\]/.test(address) || !URL.canParse(address, siteUrl)) return undefined;
  const { origin, protocol, href, username, password } = new URL(address, siteUrl);
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return undefined;
  return origin === new URL(siteUrl).origin || readOrigins(deps.config.CORS_ORIGINS).has(origin)
    ? href
    : undefined;
}

export async function pageOf(
  deps: Deps,
  { actor, request }: Sender,
  form: FormRow,
  posted: Posted,
  outcome: Outcome,
): Promise<Reply<never>> {
  const containerId = containerOf(posted);
  const back = cameFrom(deps, request.headers, posted);
  const body =
    outcome.status === 'mail_sent'
      ? `<p role="status">${escapeHtml(outcome.message)}</p>`
      : await renderedForm(deps, form, {
          unitTag: outcome.unitTag === '' ? unitTag(form.id, containerId, 1) : outcome.unitTag,
          containerId,
          returnUrl: wayBack(deps, posted) ?? '',
          cameFrom: back ?? '',
          shownAt: shownAtOf(posted),
          query: {},
          actor,
          outcome,
        });
  return page({
    title: form.title,
    language: form.locale,
    body,
    back,
    listed: readOrigins(deps.config.CORS_ORIGINS),
  });
}

export const errorPage = (status: number, message: string): Reply<never> =>
  page({
    title: 'This form cannot be sent',
    language: 'en',
    body: `<p role="alert">${escapeHtml(message)}</p>`,
    status,
  });

interface Page {
  readonly title: string;
  readonly language: string;
  readonly body: string;
  readonly back?: string;
  /** Origins to which its sender may be sent back. */
  readonly listed?: Iterable<string>;
  readonly status?: number;
}

const STYLE = `${FORM_STYLE}
body{font:1.1rem/1.5 system-ui,sans-serif;margin:2rem auto;max-width:40rem;padding:0 1rem}
[role=alert],[aria-live],.contact-form-not-valid-tip{color:light-dark(#a00,#faa)}`;
const STYLE_SOURCE = hashSource(STYLE);

function page({ title, language, body, back, listed = [], status = 200 }: Page): Reply<never> {
  const head = escapeHtml(title);
  const html = `<!DOCTYPE html>
<html ${languageAttributes(language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${head}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${head}</h1>
${body}
${back === undefined ? '' : `<p><a href="${escapeAttribute(back)}">Back</a></p>\n`}</main>
</body>
</html>
`;
  return reply.text(html, 'text/html; charset=UTF-8', status, {
    'Content-Security-Policy': formPagePolicy(STYLE_SOURCE, listed),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'same-origin',
  });
}
