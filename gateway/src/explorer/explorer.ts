/**
 * `/docs`: the interface to be read and tried, from the OpenAPI document of the site. What shows it is Swagger UI as its
 * package has it; nothing comes from elsewhere, and the policy of the page lets nothing else in. Files go by the digest
 * of what is in them, so browsers keep them for good.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { noRoute } from '@sevenfold/chassis/errors';
import { escapeAttribute } from '@sevenfold/text/html';
import { type Answer, isReading } from '../edge/exchange';
import { EXPLORER_SCRIPT } from './script';
import { EXPLORER_STYLE } from './style';

export const EXPLORER = '/docs';
const ASSETS = `${EXPLORER}/assets/`;

export interface Explorer {
  /** Undefined where the path is none of its own. */
  answer(path: string, method: string): Answer | undefined;
}

const JS = 'text/javascript; charset=UTF-8';
const CSS = 'text/css; charset=UTF-8';

/** In the order in which the page loads them: what is ours stands on theirs. */
const SOURCES = [
  { name: 'swagger-ui', type: CSS, read: () => packaged('swagger-ui.css') },
  { name: 'explorer', type: CSS, read: () => Buffer.from(EXPLORER_STYLE) },
  { name: 'swagger-ui', type: JS, read: () => packaged('swagger-ui-bundle.js') },
  { name: 'explorer', type: JS, read: () => Buffer.from(EXPLORER_SCRIPT) },
] as const;

const packaged = (file: string): Buffer =>
  readFileSync(path.join(path.dirname(require.resolve('swagger-ui-dist/package.json')), file));

interface Made {
  readonly page: Answer;
  /** By the name in their address. */
  readonly assets: ReadonlyMap<string, Answer>;
}

/** Made when somebody asks for the first time: most gateways are never asked, and it is two megabytes. */
export function openExplorer(siteUrl: string): Explorer {
  const root = new URL(siteUrl).pathname.replace(/\/$/, '');
  let made: Made | undefined;
  return {
    answer: (asked, method) => {
      if (asked !== EXPLORER && !asked.startsWith(`${EXPLORER}/`)) return undefined;
      if (!isReading(method)) throw noRoute();
      const { page, assets } = (made ??= make(root));
      if (asked === EXPLORER || asked === `${EXPLORER}/`) return page;
      const asset = asked.startsWith(ASSETS) ? assets.get(asked.slice(ASSETS.length)) : undefined;
      if (!asset) throw noRoute();
      return asset;
    },
  };
}

const YEAR_SECONDS = 365 * 24 * 3600;

function make(root: string): Made {
  const files = SOURCES.map(({ name, type, read }) => {
    const body = read();
    const digest = createHash('sha256').update(body).digest('hex').slice(0, 16);
    return { name: `${name}-${digest}.${type === CSS ? 'css' : 'js'}`, type, body };
  });
  const addresses = (type: string): string[] =>
    files.filter((file) => file.type === type).map(({ name }) => escapeAttribute(`${root}${ASSETS}${name}`));
  return {
    page: answer(pageHtml(root, addresses(CSS), addresses(JS)), {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Security-Policy': POLICY,
      'Cache-Control': 'no-cache',
      'Referrer-Policy': 'no-referrer',
    }),
    assets: new Map(
      files.map(({ name, type, body }) => [
        name,
        answer(body, {
          'Content-Type': type,
          'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable`,
          'Cross-Origin-Resource-Policy': 'same-origin',
        }),
      ]),
    ),
  };
}

const answer = (body: Buffer, headers: Readonly<Record<string, string>>): Answer => ({
  status: 200,
  headers: { Allow: 'GET', ...headers },
  body,
  page: true,
});

/** Files of this origin alone; the pictures are in the style sheet itself. Requests that are tried out go nowhere else either. */
const POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self' data:`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

const pageHtml = (root: string, styles: readonly string[], scripts: readonly string[]): Buffer =>
  Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>Interface of the site</title>
${styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
</head>
<body>
<header class="explorer-head">
<h1>Interface of the site</h1>
<p>Every operation, to be read and tried. Sign in under “Authorize” with a user name and an application password, or with an access
token; or log in with a password by <code>POST /console/api/sessions</code>, whose token is used from then on. All of it is gone with the page. The same as a file: <a href="${escapeAttribute(root)}/openapi.json">openapi.json</a>.</p>
</header>
<main id="explorer" data-root="${escapeAttribute(root)}"><p class="explorer-state" role="status">Reading the document…</p></main>
<noscript><p class="explorer-state">This page needs scripts; <a href="${escapeAttribute(root)}/openapi/">the documents</a> do not.</p></noscript>
${scripts.map((src) => `<script src="${src}"></script>`).join('\n')}
</body>
</html>
`);
