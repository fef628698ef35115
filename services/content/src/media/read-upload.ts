/**
 * The two forms of an upload: the bare bytes with a `Content-Disposition`, or a form with a part named `file` and its
 * other fields as text. Either ends as a spooled file, the name it came with and the raw fields.
 */
import type { IncomingMessage } from 'node:http';
import { ApiError, payloadTooLarge } from '@sevenfold/chassis/errors';
import { parseQuery } from '@sevenfold/chassis/http/body';
import { readMultipart } from '@sevenfold/chassis/http/multipart';
import { fileNameOf } from './disposition';
import { SpoolFault, type SpooledFile, spool } from '@sevenfold/chassis/files/spool';
import { apiError } from '../errors';

export interface Upload {
  readonly spooled: SpooledFile;
  /** As the client wrote it. */
  readonly fileName: string;
  /** Text parts of a form; unchecked. */
  readonly fields: Record<string, unknown>;
}

const MOST_PARTS = 100;
const FIELD_BYTES = 1024 * 1024;
/** Room for the text parts and boundaries of a form beyond the file itself. */
const FORM_OVERHEAD = 2 * FIELD_BYTES;

const faults = {
  noData: () => apiError('rest_upload_no_data', 400, 'There is no file in the request: its body is empty.'),
  noDisposition: () =>
    apiError(
      'rest_upload_no_content_disposition',
      400,
      'Send the file as the body with a Content-Disposition header, or in a form as the part named file.',
    ),
  invalidDisposition: () =>
    apiError(
      'rest_upload_invalid_disposition',
      400,
      'The Content-Disposition header must name the file, such as: attachment; filename="picture.png".',
    ),
  hashMismatch: () =>
    apiError('rest_upload_hash_mismatch', 412, 'The bytes that arrived do not have the hash of Content-MD5.'),
  wrongField: () =>
    apiError(
      'rest_upload_unknown_error',
      400,
      'The file must be in the part named file, and only one can be uploaded at a time.',
    ),
  cutOff: (cause: unknown) =>
    apiError('rest_upload_cut_off', 400, 'The upload ended before all of it had arrived.', { cause }),
};

export async function readUpload(request: IncomingMessage, folder: string, limit: number): Promise<Upload> {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isForm = type === 'multipart/form-data';
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit + (isForm ? FORM_OVERHEAD : 0)) throw payloadTooLarge(limit);
  try {
    return isForm ? await readForm(request, folder, limit) : await readBare(request, type, folder, limit);
  } catch (error) {
    if (error instanceof SpoolFault) throw error;
    if (!(error instanceof ApiError) && (request.destroyed || request.errored)) throw faults.cutOff(error);
    throw error;
  }
}

async function readBare(
  request: IncomingMessage,
  type: string,
  folder: string,
  limit: number,
): Promise<Upload> {
  const header = request.headers['content-disposition'];
  const empty =
    request.headers['transfer-encoding'] === undefined &&
    Number(request.headers['content-length'] ?? 0) === 0;
  if (empty) throw type === 'application/json' ? faults.noDisposition() : faults.noData();
  if (header === undefined) throw faults.noDisposition();
  const fileName = fileNameOf(header);
  if (fileName === undefined) throw faults.invalidDisposition();
  const spooled = await spool(request, folder, limit);
  if (spooled.size === 0) throw faults.noData();
  checkHash(request, spooled);
  return { spooled, fileName, fields: {} };
}

/** The header is base64 by its standard; clients of this interface send hexadecimal digits. */
function checkHash(request: IncomingMessage, spooled: SpooledFile): void {
  const given = request.headers['content-md5'];
  if (given === undefined) return;
  const text = String(given).trim();
  const base64 = Buffer.from(spooled.md5, 'hex').toString('base64');
  if (text.toLowerCase() !== spooled.md5 && text !== base64) throw faults.hashMismatch();
}

async function readForm(request: IncomingMessage, folder: string, limit: number): Promise<Upload> {
  const files: { readonly fileName: string; spooled?: SpooledFile }[] = [];
  const fields = await readMultipart(request, {
    limits: { bytes: limit + FORM_OVERHEAD, fieldBytes: FIELD_BYTES, parts: MOST_PARTS },
    file: async (name, bytes, fileName) => {
      if (name !== 'file' || files.length > 0) throw faults.wrongField();
      const file: (typeof files)[number] = { fileName };
      files.push(file);
      file.spooled = await spool(bytes, folder, limit);
    },
  });
  const [{ spooled, fileName } = {}] = files;
  if (!spooled || fileName === undefined) throw faults.noDisposition();
  if (fileName.trim() === '') throw faults.invalidDisposition();
  if (spooled.size === 0) throw faults.noData();
  checkHash(request, spooled);
  return { spooled, fileName, fields: parseQuery(fields) };
}
