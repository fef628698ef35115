/**
 * What a visitor posted, as it came: fields, and files in a temporary folder. Form data of all kinds and JSON are the same
 * here. Only files for fields of the form are written down; all others are read past.
 */
import type { IncomingMessage } from 'node:http';
import { headOf, spool } from '@sevenfold/chassis/files/spool';
import { payloadTooLarge } from '@sevenfold/chassis/errors';
import { DEFAULT_BODY_LIMIT, parseQuery, readBody } from '@sevenfold/chassis/http/body';
import { readMultipart } from '@sevenfold/chassis/http/multipart';
import type { Posted as Fields } from '../tags/values';
import { typeOf } from '../uploads/content';

export interface PostedFile {
  readonly field: string;
  /** As it came. */
  readonly name: string;
  /** By content; '' where that is not what the name says, or nothing that is taken. */
  readonly type: string;
  readonly bytes: number;
  readonly md5: string;
  /** Where it lies until the request is over. */
  readonly file: string;
}

export interface Posted {
  readonly fields: Fields;
  readonly files: readonly PostedFile[];
}

export interface ReadOptions {
  /** Names of the fields that take files. */
  readonly fileFields: ReadonlySet<string>;
  /** For files. */
  readonly folder: string;
  /** Bytes of a body with files. */
  readonly limit: number;
}

/** A form of a thousand fields, as many as there may be, with what it sends beside them. The script of forms sends all of them so. */
const MOST_PARTS = 2_000;

export const isMultipart = (request: IncomingMessage): boolean =>
  /^multipart\/form-data\s*(?:;|$)/i.test((request.headers['content-type'] ?? '').trim());

export async function readPosted(request: IncomingMessage, options: ReadOptions): Promise<Posted> {
  if (isMultipart(request)) return readForm(request, options);
  const { value } = await readBody(request, DEFAULT_BODY_LIMIT);
  return { fields: Array.isArray(value) ? {} : (value as Fields), files: [] };
}

async function readForm(
  request: IncomingMessage,
  { fileFields, folder, limit }: ReadOptions,
): Promise<Posted> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw payloadTooLarge(limit);
  const files: PostedFile[] = [];
  let order = 0;
  const fields = await readMultipart(request, {
    limits: { bytes: limit, fieldBytes: DEFAULT_BODY_LIMIT, parts: MOST_PARTS },
    file: async (part, content, name) => {
      const field = part.replace(/\[\d*\]$/, '');
      // Browsers send a nameless empty part for a control in which nothing was chosen.
      if (!fileFields.has(field)) return void content.resume();
      const place = order++;
      const { file, size: bytes, md5 } = await spool(content, folder, limit, String(place));
      if (name === '' && bytes === 0) return;
      files[place] = { field, name, type: typeOf(name, await headOf(file)) ?? '', bytes, md5, file };
    },
  });
  return { fields: parseQuery(fields), files: files.filter(() => true) };
}
