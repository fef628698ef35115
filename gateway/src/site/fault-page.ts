/** What went wrong at an address of the site, for people: scripts that do not ask for HTML get the error body of the interface. */
import type { IncomingMessage } from 'node:http';
import type { ApiError } from '@sevenfold/chassis/errors';
import { wantsPage } from '@sevenfold/chassis/http/form-page';
import { escapeHtml } from '@sevenfold/text/html';
import { jsonAnswer } from '../edge/answer';
import type { Answer } from '../edge/exchange';
import type { Surroundings } from './address';
import { documentHtml, policyFor } from './document';

const wantsHtml = ({ headers }: IncomingMessage): boolean =>
  /\b(?:text\/html|application\/xhtml\+xml)\b/i.test(headers.accept ?? '');

const TITLES: Readonly<Record<number, string>> = {
  400: 'This is no address',
  404: 'There is nothing here',
  410: 'What was here is gone',
  429: 'That was too much at once',
  503: 'The site cannot show this right now',
  504: 'The site cannot show this right now',
};

export function showFault(error: ApiError, request: IncomingMessage, surroundings: Surroundings): Answer {
  if (!wantsHtml(request))
    return jsonAnswer(error.body(), error.status, { ...error.headers, Vary: 'Accept' });
  const title = TITLES[error.status] ?? 'Something went wrong';
  const again =
    error.status >= 500 || error.status === 429
      ? 'Please try again in a moment.'
      : 'Perhaps the front page leads on.';
  return faultPage(error, surroundings, title, `<p>${again}</p>`);
}

/**
 * For a browser that sent a form without a script, in the words of the service of forms, and in a frame of any page, as its
 * answers. Undefined for all others.
 */
export function showFormFault(
  error: ApiError,
  request: IncomingMessage,
  surroundings: Surroundings,
): Answer | undefined {
  if (!wantsPage(request.headers)) return undefined;
  const said = `<p role="alert">${escapeHtml(error.message)}</p>`;
  return faultPage(error, surroundings, 'This form cannot be sent', said, '*');
}

function faultPage(
  { status, headers }: ApiError,
  { siteUrl, facts }: Surroundings,
  title: string,
  said: string,
  framedBy?: string,
): Answer {
  const { title: siteName } = facts.now();
  const html = documentHtml({
    language: 'en',
    siteName,
    siteDescription: '',
    homeUrl: `${siteUrl}/`,
    head: `<title>${escapeHtml(`${title} – ${siteName}`)}</title><meta name="robots" content="noindex">`,
    main: `<h1>${title}</h1>${said}`,
  });
  return {
    status,
    headers: {
      ...headers,
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Security-Policy': policyFor(siteUrl, framedBy),
      'Cache-Control': 'no-cache',
      Vary: 'Accept',
    },
    body: Buffer.from(html),
    page: true,
  };
}
