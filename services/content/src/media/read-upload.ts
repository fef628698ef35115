/**
 * The two forms of an upload: the bare bytes with a `Content-Disposition`, or a form with a part named `file` and its
 * other fields as text. Either ends as a spooled file, the name it came with and the raw fields.
 */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { ApiError, payloadTooLarge } from '@sevenfold/chassis/errors';
import { parseQuery } from '@sevenfold/chassis/http/body';
import { fileNameOf } from './disposition';
import { type SpooledFile, spool, uploadCutOff } from './spool';

export interface Upload {
  readonly spooled: SpooledFile;
  /** As the client wrote it. */
  readonly fileName: string;
  /** Text parts of a form; unchecked. */
  readonly fields: Record<string, unknown>;
}

const MOST_FIELDS = 100;
const FIELD_BYTES = 1024 * 1024;
/** Room for the text parts and boundaries of a form beyond the file itself. */
const FORM_OVERHEAD = 2 * FIELD_BYTES;

const faults = {
  noData: () =>
    new ApiError('rest_upload_no_data', 400, 'There is no file in the request: its body is empty.'),
  noDisposition: () =>
    new ApiError(
      'rest_upload_no_content_disposition',
      400,
      'Send the file as the body with a Content-Disposition header, or in a form as the part named file.',
    ),
  invalidDisposition: () =>
    new ApiError(
      'rest_upload_invalid_disposition',
      400,
      'The Content-Disposition header must name the file, such as: attachment; filename="picture.png".',
    ),
  hashMismatch: () =>
    new ApiError(
      'rest_upload_hash_mismatch',
      412,
      'The bytes that arrived do not have the hash of Content-MD5.',
    ),
  wrongField: () =>
    new ApiError(
      'rest_upload_unknown_error',
      400,
      'The file must be in the part named file, and only one can be uploaded at a time.',
    ),
  badForm: (cause: unknown) =>
    new ApiError('rest_invalid_multipart', 400, 'The multipart body cannot be read.', { cause }),
};

export async function readUpload(request: IncomingMessage, folder: string, limit: number): Promise<Upload> {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isForm = type === 'multipart/form-data';
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit + (isForm ? FORM_OVERHEAD : 0)) throw payloadTooLarge(limit);
  try {
    return isForm ? await readForm(request, folder, limit) : await readBare(request, type, folder, limit);
  } catch (error) {
    if (!(error instanceof ApiError) && (request.destroyed || request.errored)) throw uploadCutOff(error);
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

function readForm(request: IncomingMessage, folder: string, limit: number): Promise<Upload> {
  return new Promise((resolve, reject) => {
    let parser: busboy.Busboy;
    try {
      parser = busboy({
        headers: request.headers,
        defParamCharset: 'utf8',
        limits: {
          fields: MOST_FIELDS,
          fieldSize: FIELD_BYTES,
          files: 1,
          fileSize: limit + 1,
          parts: MOST_FIELDS + 2,
        },
      });
    } catch (cause) {
      reject(faults.badForm(cause));
      return;
    }
    const pairs: string[] = [];
    let fieldBytes = 0;
    let file: Promise<{ spooled: SpooledFile; fileName: string }> | undefined;
    let done = false;

    const fail = (error: unknown): void => {
      if (done) return;
      done = true;
      request.unpipe(parser);
      parser.destroy();
      // The file may still be open: the folder must not go before it is closed.
      void Promise.resolve(file)
        .catch(() => undefined)
        .then(() => reject(error as Error));
    };

    parser.on('field', (name, value, info) => {
      fieldBytes += Buffer.byteLength(value);
      if (info.valueTruncated || fieldBytes > FIELD_BYTES) fail(payloadTooLarge(FIELD_BYTES));
      else
        pairs.push(`${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`);
    });
    parser.on('file', (name, stream: Readable, info) => {
      // Ending the parser early is an error to the part that is being read, and nobody may be listening any more.
      stream.on('error', () => undefined);
      if (name !== 'file') {
        stream.resume();
        fail(faults.wrongField());
        return;
      }
      file = spool(stream, folder, limit).then((spooled) => ({ spooled, fileName: info.filename ?? '' }));
      file.catch(fail);
    });
    parser.on('filesLimit', () => fail(faults.wrongField()));
    parser.on('fieldsLimit', () => fail(faults.badForm(new Error('too many fields'))));
    parser.on('partsLimit', () => fail(faults.badForm(new Error('too many parts'))));
    parser.on('error', (error) => fail(faults.badForm(error)));
    request.on('aborted', () => fail(uploadCutOff()));
    request.on('error', (error) => fail(uploadCutOff(error)));
    parser.on('close', () => {
      if (done) return;
      void (async () => {
        try {
          const found = await file;
          if (!found) throw faults.noDisposition();
          if (found.fileName.trim() === '') throw faults.invalidDisposition();
          if (found.spooled.size === 0) throw faults.noData();
          checkHash(request, found.spooled);
          done = true;
          resolve({ ...found, fields: parseQuery(pairs.join('&')) });
        } catch (error) {
          fail(error);
        }
      })();
    });
    request.pipe(parser);
  });
}
