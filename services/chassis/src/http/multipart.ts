/**
 * The only place that reads multipart forms. The parser speaks in events, and an exception in one of them would end the
 * process: here each runs guarded, so that whatever a form holds ends in a value or in the rejection of its own request.
 * It counts what arrives before anything is made of it. What a file is good for is the caller's business.
 */
import type { IncomingMessage } from 'node:http';
import { type Readable, finished } from 'node:stream';
import busboy from 'busboy';
import { ApiError, apiError, payloadTooLarge } from '../errors';
import type { Share } from './body-room';
import { countChunks, tooManyChunks } from './chunks';

export interface MultipartOptions {
  readonly limits: {
    /** Of the whole body, boundaries and headers of parts included. */
    readonly bytes: number;
    /** Of the names and values of all text parts together. */
    readonly fieldBytes: number;
    readonly parts: number;
  };
  /** Of the memory that all bodies have, for forms whose text is all that is kept. */
  readonly share?: Share;
  /**
   * Takes the bytes of a file to their end; what it rejects with ends the form. Without it files are read past.
   * `fileName` is empty where the client gave none.
   */
  readonly file?: (name: string, bytes: Readable, fileName: string) => Promise<void>;
}

/**
 * The text parts, in the form of a query string. Resolves when all files are taken, too; rejects with the first fault,
 * after every file has been let go of. The rest of a refused body is left unread, and its connection open.
 */
export async function readMultipart(request: IncomingMessage, options: MultipartOptions): Promise<string> {
  const form = openForm(request, options);
  try {
    await form.read;
    await Promise.all(form.files);
    options.share?.keep();
    return form.pairs.join('&');
  } catch (error) {
    form.abandon();
    // A file may still be open: the caller's folder must not go before it is closed.
    await Promise.allSettled(form.files);
    throw error;
  }
}

interface Form {
  /** Resolves at the end of the body, rejects with the first fault of the body or of a file. */
  readonly read: Promise<void>;
  readonly pairs: string[];
  readonly files: Promise<void>[];
  abandon(): void;
}

function openForm(request: IncomingMessage, { limits, file, share }: MultipartOptions): Form {
  const parser = newParser(request, limits);
  const pairs: string[] = [];
  const files: Promise<void>[] = [];
  // Files whose last byte the parser has not read yet.
  const open = new Set<Readable>();
  let over = false;
  let settle: (fault?: unknown) => void = () => undefined;
  const read = new Promise<void>((resolve, reject) => {
    settle = (fault) => {
      over = true;
      if (fault === undefined) resolve();
      else reject(fault as Error);
    };
  });
  /** Makes a callback whose exceptions stay within this form, and that is silent once the form is over. */
  const guarded =
    <A extends unknown[]>(take: (...args: A) => void) =>
    (...args: A): void => {
      if (over) return;
      try {
        take(...args);
      } catch (fault) {
        settle(fault instanceof ApiError ? fault : malformed('it is malformed', fault));
      }
    };

  let bytes = 0;
  const areTooMany = countChunks(request);
  const onData = guarded((chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > limits.bytes) throw payloadTooLarge(limits.bytes);
    if (areTooMany(chunk.length)) throw tooManyChunks();
    share?.take(chunk.length)?.catch(settle);
    if (!parser.write(chunk)) request.pause();
  });
  const onDrain = guarded(() => void request.resume());
  // A part that begins within the headers of another is forgotten by the parser, which then waits for its end for ever.
  const onRead = guarded(() => {
    parser.end();
    if (open.size > 0) throw malformed(CUT_OFF);
  });
  const onEnd = guarded((fault?: Error | null) =>
    fault ? settle(fault) : parser.write(NOTHING, () => onRead()),
  );

  let fieldBytes = 0;
  // The parser's types promise a name and a value; a part without a name, or in an unknown alphabet, has none.
  const onField = guarded((name: string | undefined, value: string | undefined, info: busboy.FieldInfo) => {
    if (name === undefined) throw malformed('a part has no name');
    if (value === undefined) throw malformed('a part is in an unknown character set');
    fieldBytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    if (info.valueTruncated || fieldBytes > limits.fieldBytes) throw payloadTooLarge(limits.fieldBytes);
    pairs.push(`${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`);
  });
  const onFile = guarded((name: string | undefined, content: Readable, info: busboy.FileInfo) => {
    if (name === undefined) throw malformed('a part has no name');
    if (!file) return void content.resume();
    const taken = file(name, content, fileName(info.filename));
    files.push(taken);
    taken.catch(settle);
  });

  parser.on('field', onField);
  parser.on('file', (name: string | undefined, content: Readable, info: busboy.FileInfo) => {
    // Ending the parser early is an error to the part that is being read, and nobody may be listening any more.
    content.on('error', () => undefined);
    open.add(content);
    onLast(content, () => open.delete(content));
    onFile(name, content, info);
  });
  parser.on(
    'partsLimit',
    guarded(() => {
      throw tooManyParts(limits.parts);
    }),
  );
  // Stays when the form is over: the parser complains about its own end.
  parser.on('error', (fault) => settle(malformed(CUT_OFF, fault)));
  parser.on('drain', onDrain);
  parser.on('close', () => settle());
  request.on('data', onData);
  const forget = finished(request, { writable: false }, onEnd);

  return {
    read,
    pairs,
    files,
    abandon: () => {
      over = true;
      forget();
      request.off('data', onData).pause();
      parser.destroy();
      for (const content of open) content.destroy(malformed(CUT_OFF));
    },
  };
}

function newParser(request: IncomingMessage, limits: MultipartOptions['limits']): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      // One more than is allowed is how the parser can tell that there were more.
      limits: { fieldSize: limits.fieldBytes + 1, fileSize: limits.bytes, parts: limits.parts + 1 },
    });
  } catch (cause) {
    throw malformed('its boundary is missing', cause);
  }
}

/** Browsers write a quotation mark in a name so, as the HTML standard says, and a percent sign as it is. */
const fileName = (given = ''): string => given.replaceAll('%22', '"');

const NOTHING = Buffer.alloc(0);
const CUT_OFF = 'it is cut off or malformed';

/** Calls back when the last byte is there to be read, which may be long before somebody has read it. */
function onLast(content: Readable, told: () => void): void {
  const push = content.push.bind(content);
  content.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk === null) told();
    return push(chunk, encoding);
  };
}

const malformed = (why: string, cause?: unknown): ApiError =>
  apiError('rest_invalid_multipart', 400, `The multipart body cannot be read: ${why}.`, { cause });

const tooManyParts = (limit: number): ApiError =>
  apiError('payload_too_large', 413, `The form has more than ${limit} parts.`, { data: { limit } });
