/**
 * Files on their way to the site, whatever they come from, as one part of a form. Nothing is read into memory that can
 * be read piece by piece, and nothing of a runtime is imported: files of the disk are opened where there is a disk.
 */
import { SevenfoldError } from './errors.ts';
import { unlessAborted } from './retry.ts';
import { type SendOptions, type Sending, type Try, fetching } from './transport.ts';
import { sendByXhr } from './xhr.ts';

/** A text is the path of a file, where there are files. A stream can be sent once only: it is not tried again. */
export type UploadSource = Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | string;

export interface UploadProgress {
  /** Bytes of the file that were handed to the network. */
  readonly sent: number;
  /** Unknown of streams. */
  readonly total: number | undefined;
}

export interface UploadOptions<Fields = Readonly<Record<string, unknown>>> extends SendOptions {
  /** Needed where the source has no name of its own. */
  readonly fileName?: string;
  /** Its media type; by default that of the source. */
  readonly type?: string;
  /** What else is said of the file: title, caption, post, … */
  readonly fields?: Fields;
  readonly onProgress?: (progress: UploadProgress) => void;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What is sent, ready to be opened for each try. */
export interface Opened {
  readonly name: string;
  readonly type: string;
  readonly size: number | undefined;
  readonly once: boolean;
  readonly blob?: Blob;
  readonly chunks: () => AsyncIterator<Uint8Array>;
}

const BYTES = 'application/octet-stream';

export async function openSource(source: UploadSource, { fileName, type }: UploadOptions): Promise<Opened> {
  if (typeof source === 'string') return openFile(source, fileName, type);
  if (source instanceof Blob)
    return {
      name: nameOf(fileName ?? (source as Partial<File>).name),
      type: type ?? (source.type || BYTES),
      size: source.size,
      once: false,
      blob: source,
      chunks: () => chunksOf(source.stream()),
    };
  const [name, known] = [nameOf(fileName), type ?? BYTES];
  return { name, type: known, size: undefined, once: true, chunks: () => chunksOf(source) };
}

function nameOf(name: string | undefined): string {
  if (name === undefined || name === '') throw new TypeError('A file without a name needs `fileName`.');
  return name;
}

/** Not every runtime can walk a stream by `for await`. */
function chunksOf(source: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): AsyncIterator<Uint8Array> {
  if (!('getReader' in source)) return source[Symbol.asyncIterator]();
  const reader = source.getReader();
  return {
    next: async () => {
      const { done, value } = await reader.read();
      return done ? { done, value: undefined } : { done, value };
    },
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

/** As much of Node as is needed to read a file. */
interface Files {
  readonly createReadStream: (path: string) => AsyncIterable<Uint8Array>;
  readonly promises: { readonly stat: (path: string) => Promise<{ readonly size: number }> };
}
interface Runtime {
  readonly process?: { readonly getBuiltinModule?: (name: string) => unknown };
}

async function openFile(path: string, fileName?: string, type: string = BYTES): Promise<Opened> {
  const files = (globalThis as Runtime).process?.getBuiltinModule?.('node:fs') as Files | undefined;
  if (!files)
    throw new TypeError('There are no files to be opened by their path here: give a File or a Blob.');
  const { size } = await files.promises.stat(path);
  const name = fileName ?? (path.split(/[\\/]/).at(-1) as string);
  // Opened when somebody reads it: what goes wrong before that nobody hears of, and it would end the program.
  const chunks = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    yield* files.createReadStream(path);
  };
  return { name, type, size, once: false, chunks };
}

// ---- the form --------------------------------------------------------------------------------------------------------

export interface Form {
  readonly type: string;
  readonly head: Uint8Array<ArrayBuffer>;
  readonly tail: Uint8Array<ArrayBuffer>;
}

/** `randomUUID` is for secure pages only. */
export const randomText = (): string => `sevenfold-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;

/** What stands around the file. */
export function formAround(part: string, { name, type }: Opened, fields: object = {}): Form {
  const boundary = randomText();
  const texts = Object.entries(fields).flatMap(([field, value]) => pairsOf(field, value));
  const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
  const heads = texts.map(
    ([field, text]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(field)}"\r\n\r\n${text}\r\n`,
  );
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(part)}"; filename="${quoted(name)}"\r\nContent-Type: ${type.replace(/[\r\n]/g, '')}\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    head: encode(heads.join('') + file),
    tail: encode(`\r\n--${boundary}--\r\n`),
  };
}

/** As browsers do it. */
const quoted = (name: string): string =>
  name.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');

function pairsOf(name: string, value: unknown): [string, string][] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return [[name, value.join(',')]];
  if (value instanceof Date) return [[name, value.toISOString()]];
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([key, inner]) => pairsOf(`${name}[${key}]`, inner));
  return [[name, String(value as string | number | boolean)]];
}

// ---- sending ---------------------------------------------------------------------------------------------------------

/** `send` of an upload: browsers tell of progress only where a request is made the old way. */
export function uploading(url: string, opened: Opened, form: Form, options: UploadOptions): Sending['send'] {
  let last = -1;
  const tell = (sent: number): void => {
    if (sent !== last) options.onProgress?.({ sent: (last = sent), total: opened.size });
  };
  return async (one) => {
    one.headers.set('Content-Type', form.type);
    const isOldWay = typeof XMLHttpRequest !== 'undefined';
    if (!isOldWay && !isServiceWorker()) return sendByStream(url, opened, form, one, tell);
    const file = opened.blob ?? (await gathered(opened, one));
    const body = new Blob([form.head, file, form.tail]);
    if (isOldWay)
      return sendByXhr(url, body, one, (sent) =>
        tell(Math.max(0, Math.min(sent - form.head.length, file.size))),
      );
    const answer = await fetching(url, 'POST', body)(one);
    tell(file.size);
    return answer;
  };
}

/** Of browsers, the one place without the old way; streams they send by HTTP/2 alone, if at all. */
const isServiceWorker = (): boolean => 'skipWaiting' in globalThis;

/** Browsers keep it on the disk where it is large. */
function gathered({ chunks }: Opened, { alive, signal }: Try): Promise<Blob> {
  const body = streamOf(chunks(), alive);
  const blob = new Response(body).blob().catch((error: unknown) => {
    throw fileFault.get(body) ?? error;
  });
  return unlessAborted(blob, signal);
}

async function sendByStream(
  url: string,
  { chunks }: Opened,
  { head, tail }: Form,
  { headers, signal, alive }: Try,
  tell: (sent: number) => void,
): Promise<Response> {
  const source = chunks();
  const body = streamOf(around(head, source, tail, tell), alive);
  try {
    return await fetch(url, {
      method: 'POST',
      headers,
      body,
      signal,
      redirect: 'error',
      // What the types of browsers do not know yet: without it a stream is refused.
      ...{ duplex: 'half' },
    });
  } catch (error) {
    throw fileFault.get(body) ?? error;
  } finally {
    // The site may have answered before the end, and the file is open still. One that gives nothing may not end either.
    source.return?.().catch(() => undefined);
  }
}

/** Tells how much of the file was taken. */
async function* around(
  head: Uint8Array,
  source: AsyncIterator<Uint8Array>,
  tail: Uint8Array,
  tell: (sent: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield head;
  let sent = 0;
  for (let next = await source.next(); !next.done; next = await source.next()) {
    yield next.value;
    tell((sent += next.value.length));
  }
  yield tail;
}

/** Why a source could not be read: `fetch` says of it only that it failed. */
const fileFault = new WeakMap<ReadableStream, Error>();

function streamOf(
  source: AsyncIterator<Uint8Array>,
  onPull: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      try {
        onPull();
        const next = await source.next();
        if (next.done) return controller.close();
        controller.enqueue(next.value as Uint8Array<ArrayBuffer>);
      } catch (cause) {
        const message = `The file could not be read: ${(cause as Error).message}`;
        fileFault.set(stream, new SevenfoldError({ code: 'unreadable', status: 0, message, cause }));
        controller.error(cause);
      }
    },
    cancel: async () => void (await source.return?.()),
  });
  return stream;
}
