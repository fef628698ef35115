/**
 * Contact forms for pages anywhere: `/forms/{id}/embed.js` puts a form in the place of its own script element,
 * `/forms/{id}/form.json` is what it asks for, and `/forms/{id}/page` is a page with nothing but the form, which works
 * in a frame and without scripts. Everybody may read them, and nobody is known here by a credential.
 */
import { FORM_STYLE, formPagePolicy } from '@sevenfold/chassis/http/form-page';
import { hashSource } from '@sevenfold/chassis/http/hash-source';
import { readOrigins } from '@sevenfold/chassis/http/origins';
import { noRoute } from '@sevenfold/chassis/errors';
import { parseQuery } from '@sevenfold/chassis/http/body';
import type { Dial } from '@sevenfold/chassis/grpc/dial';
import {
  type FormServiceServer,
  FormServiceService,
  type RenderFormResponse,
} from '@sevenfold/proto/gen/sevenfold/forms/v1/form';
import { languageAttributes } from '@sevenfold/text/direction';
import { escapeHtml } from '@sevenfold/text/html';
import { jsonAnswer } from '../edge/answer';
import { type Answer, type Exchange, isReading } from '../edge/exchange';
import { type Upstreams, targetOf } from '../relay/upstreams';
import { EMBED_SCRIPT } from './script';

export const FORMS = '/forms/';

export interface Embeds {
  answer(exchange: Exchange): Promise<Answer> | Answer;
  close(): void;
}

const PATH = /^\/forms\/(\d{1,15})\/(embed\.js|form\.json|page)\/?$/;
const DEADLINE_MS = 5_000;
/** The script is the same for all forms; what it asks for is fresh. */
const SCRIPT_SECONDS = 3_600;
const MOST_ARGUMENTS = 100;
const LONGEST_ARGUMENT = 2_000;

/** `listed` are the origins, separated by commas, to which forms may send whoever filled them in. */
export function openEmbeds(upstreams: Upstreams, dial: Dial, listed: string): Embeds {
  const policy = formPagePolicy(hashSource(STYLE), readOrigins(listed));
  const remote = dial<FormServiceServer>(FormServiceService, targetOf(upstreams, 'forms'));
  const render = (exchange: Exchange, id: number): Promise<RenderFormResponse> => {
    const { _position: position, _return_url: returnUrl, ...query } = argumentsOf(exchange.query);
    return remote.renderForm(
      {
        id,
        query,
        containerId: 0,
        position: positionOf(position),
        returnUrl: returnUrl ?? '',
      },
      { requestId: exchange.id, deadlineMs: DEADLINE_MS, repeatable: true },
    );
  };
  return {
    answer: async (exchange) => {
      const [, id, what] = PATH.exec(exchange.path) ?? [];
      if (id === undefined) throw noRoute();
      if (!isReading(exchange.method)) throw noRoute();
      if (what === 'embed.js') return script;
      exchange.by = 'forms';
      const form = await render(exchange, Number(id));
      if (what === 'page') return page(form, policy);
      const { html, title, unitTag } = form;
      return jsonAnswer({ id: Number(id), title, unit_tag: unitTag, html }, 200, {
        Allow: 'GET',
        'Cache-Control': 'no-store',
      });
    },
    close: () => remote.close(),
  };
}

/** The first one, where it is no number of a form on a page. */
const positionOf = (given = ''): number =>
  /^[1-9]\d{0,3}$/.test(given) ? Math.min(Number(given), 1_000) : 1;

/** Of a page's address: text by name, so much of it as anybody types. */
function argumentsOf(query: string): Record<string, string> {
  const texts = Object.entries(parseQuery(query)).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1].length <= LONGEST_ARGUMENT,
  );
  return Object.fromEntries(texts.slice(0, MOST_ARGUMENTS));
}

const script: Answer = {
  status: 200,
  headers: {
    Allow: 'GET',
    'Content-Type': 'text/javascript; charset=UTF-8',
    'Cache-Control': `public, max-age=${SCRIPT_SECONDS}`,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  },
  body: Buffer.from(EMBED_SCRIPT),
};

const STYLE = `${FORM_STYLE}
body{font:1rem/1.5 system-ui,sans-serif;margin:1rem}
.contact-form-not-valid-tip,[role=alert]{color:light-dark(#a00,#faa)}`;

const page = ({ html, title, locale }: RenderFormResponse, policy: string): Answer => ({
  status: 200,
  headers: {
    Allow: 'GET',
    'Content-Type': 'text/html; charset=UTF-8',
    'Content-Security-Policy': policy,
    'Cache-Control': 'no-store',
  },
  body: Buffer.from(
    `<!DOCTYPE html>
<html ${languageAttributes(locale)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${html}
</main>
</body>
</html>
`,
  ),
});
