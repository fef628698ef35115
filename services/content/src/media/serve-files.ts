/**
 * `/uploads/…`: the stored files. They never change, so clients keep them for ever; what a browser could run as a page
 * of this site (SVG, HTML, anything unknown) is only handed out for saving.
 */
import { isOther, knownAs, wholeSeconds } from '@sevenfold/chassis/http/conditional';
import { parseHttpDate } from '@sevenfold/chassis/http/http-date';
import type { NextFunction, Request, Response, Router } from 'express';
import { pipeline } from 'node:stream/promises';
import { ApiError, preconditionFailed, unavailable } from '@sevenfold/chassis/errors';
import { logFault } from '@sevenfold/chassis/outages';
import type { Deps } from '../deps';
import { typeOfEnding } from '@sevenfold/chassis/files/file-types';
import { isStorablePath, type StoredFile } from '@sevenfold/chassis/files/storage';
import { apiError } from '../errors';

export function mountUploads(router: Router, deps: Deps): void {
  router.use('/uploads', (request: Request, response: Response, next: NextFunction) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    serveFile(deps, request, response).catch((error: unknown) => {
      if (!response.headersSent)
        fail(response, error instanceof ApiError ? error : unavailable('The store of media files', 5, error));
      else response.destroy();
      if (!(error instanceof ApiError) && !request.destroyed)
        logFault(deps.log, error, { path: request.path }, 'a stored file could not be served');
    });
  });
}

async function serveFile(deps: Deps, request: Request, response: Response): Promise<void> {
  const path = pathOf(request.path);
  const found = path === undefined ? undefined : await deps.storage.find(path);
  if (path === undefined || !found) throw apiError('rest_upload_not_found', 404, 'There is no such file.');
  const etag = `"${found.size.toString(16)}-${found.modified.getTime().toString(16)}"`;
  response.set({
    ...describe(path),
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'public, max-age=31536000, immutable',
    ETag: etag,
    'Last-Modified': found.modified.toUTCString(),
    'X-Content-Type-Options': 'nosniff',
  });
  const current = { etag, modified: found.modified };
  if (isOther(request.headers, current)) throw preconditionFailed();
  const known = knownAs(request.headers, current);
  if (known !== undefined) {
    response.removeHeader('Content-Type');
    response.status(304).set('ETag', known).end();
    return;
  }
  const range = rangeOf(request, found, etag);
  if (range === 'beyond') {
    response.set('Content-Range', `bytes */${found.size}`);
    throw apiError(
      'rest_range_not_satisfiable',
      416,
      `The file has ${found.size} bytes; the range begins after its end.`,
    );
  }
  if (range) response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${found.size}`);
  response.set('Content-Length', String(range ? range.end - range.start + 1 : found.size));
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  await pipeline(await found.read(range), response).catch((error: unknown) => {
    // A client that has seen enough of a film is no fault.
    if (!response.destroyed || (error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE')
      throw error;
  });
}

/** What was said of the file already is not true of the error. */
const OF_FILES = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Length',
  'Content-Security-Policy',
  'Content-Type',
  'ETag',
  'Last-Modified',
];

function fail(response: Response, error: ApiError): void {
  for (const name of OF_FILES) response.removeHeader(name);
  response
    .status(error.status)
    .set({ ...error.headers, 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' })
    .json(error.body());
}

function pathOf(raw: string): string | undefined {
  try {
    const path = decodeURIComponent(raw.replace(/^\/+/, ''));
    return isStorablePath(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

function describe(path: string): Record<string, string> {
  const type = typeOfEnding(path.slice(path.lastIndexOf('.') + 1));
  const mime = type?.mime ?? 'application/octet-stream';
  const headers: Record<string, string> = {
    'Content-Type': mime.startsWith('text/') ? `${mime}; charset=UTF-8` : mime,
  };
  if (!type || type.active) {
    headers['Content-Disposition'] = 'attachment';
    headers['Content-Security-Policy'] = "default-src 'none'; sandbox";
  }
  return headers;
}

const RANGE = /^bytes\s*=\s*(?:(\d{1,15})\s*)?-\s*(\d{0,15})$/i;

/** One range is served; several, or ones that cannot be read, are answered with the whole file, as the standard allows. */
function rangeOf(
  request: Request,
  found: StoredFile,
  etag: string,
): { start: number; end: number } | 'beyond' | undefined {
  const match = RANGE.exec((request.headers.range ?? '').trim());
  if (!match || request.method !== 'GET') return undefined;
  const condition = request.headers['if-range'];
  if (
    typeof condition === 'string' &&
    condition !== etag &&
    parseHttpDate(condition) !== wholeSeconds(found.modified)
  )
    return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  if (first === '')
    return Number(last) === 0 || found.size === 0
      ? 'beyond'
      : { start: Math.max(0, found.size - Number(last)), end: found.size - 1 };
  if (Number(first) >= found.size) return 'beyond';
  if (last !== '' && Number(last) < Number(first)) return undefined;
  return { start: Number(first), end: last === '' ? found.size - 1 : Math.min(Number(last), found.size - 1) };
}
