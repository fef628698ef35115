/**
 * Files in a bucket of an S3-compatible store, with path-style addresses. Every wait has an end: connecting, the
 * first byte of an answer and each pause within one. Requests that a busy store turned down are tried again.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { AwsV4Signer } from 'aws4fetch';
import type { Dispatcher } from 'undici';
import { trimEnd } from '@sevenfold/text/trim';
import type { Log } from '../log';
import { lateAgent } from '../http/late-agent';
import { noteAnswered, outgoingSpan } from '../http/spans';
import { step } from '../tracing/tracing';
import {
  PathTakenError,
  type Source,
  type Storage,
  isStorablePath,
  requireStorablePath,
  sizeOf,
} from './storage';

export interface Bucket {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Longest wait for an answer and within one. */
  readonly timeoutMs?: number;
  readonly log?: Log;
}

/** By which a file is known to be that of a write whose answer was lost: another one of its size may have had the name before. */
const MARK = 'x-amz-meta-write';

type Method = 'GET' | 'HEAD' | 'PUT' | 'DELETE';
const NO_LIST =
  'the key of the file store has no right to list its bucket (s3:ListBucket): what is missing cannot be told from what is forbidden, and counts as missing';
const TRIES = 3;
const PAUSE_MS = 100;

export function openBucket(options: Bucket): Storage {
  const timeout = options.timeoutMs ?? 20_000;
  const agent = lateAgent({
    connect: { timeout: Math.min(timeout, 5_000) },
    headersTimeout: timeout,
    bodyTimeout: timeout,
  });
  const signingKeys = new Map<string, ArrayBuffer>();
  const base = `${trimEnd(options.endpoint, '/')}/${encodeURIComponent(options.bucket)}`;

  const once = (...asked: Parameters<typeof send>): Promise<Dispatcher.ResponseData> =>
    step(
      () => outgoingSpan(asked[0], new URL(base).hostname),
      async (span) => {
        const answer = await send(...asked);
        noteAnswered(span, answer.statusCode);
        return answer;
      },
    );
  const send = async (
    method: Method,
    name: string,
    headers: Record<string, string>,
    source?: Source,
  ): Promise<Dispatcher.ResponseData> => {
    const signed = await new AwsV4Signer({
      method,
      url: `${base}/${name.split('/').map(encodeURIComponent).join('/')}`,
      headers,
      service: 's3',
      region: options.region,
      accessKeyId: options.accessKeyId,
      secretAccessKey: options.secretAccessKey,
      cache: signingKeys,
    }).sign();
    const sent = Object.fromEntries(signed.headers.entries());
    if (source === undefined) return agent.request(signed.url, { method, headers: sent });
    sent['content-length'] = String(sizeOf(source));
    const body = Buffer.isBuffer(source) ? source : createReadStream(source.file);
    return agent.request(signed.url, { method, headers: sent, body });
  };

  const ask = async (
    method: Method,
    name: string,
    headers: Record<string, string> = {},
    source?: Source,
  ): Promise<Dispatcher.ResponseData> => {
    for (let tries = 1; ; tries++) {
      const answer = await once(method, name, headers, source);
      if (tries === TRIES || !isForNow(answer.statusCode)) return answer;
      await answer.body.dump();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** tries));
    }
  };

  const isWrittenBy = async (name: string, mark: string): Promise<boolean> => {
    const head = await ask('HEAD', name);
    if (head.statusCode === 404) return dumped(head, false);
    await requireSuccess(head, 'HEAD', name);
    return head.headers[MARK] === mark;
  };

  let isBucketThere = false;
  let hasRead = false;
  let mayList: Promise<boolean> | undefined;
  /** Who may list, has 404 for what is missing; everybody else has 403, as for what he may not read. */
  const canList = (): Promise<boolean> => {
    mayList ??= (async () => {
      const head = await ask('HEAD', '');
      const can = await dumped(head, head.statusCode !== 403);
      if (!can) options.log?.warn(NO_LIST);
      return can;
    })();
    mayList.catch(() => (mayList = undefined));
    return mayList;
  };
  /**
   * Throws where an answer to HEAD may mean anything but that there is no such file. It has no words, those to GET have: of a bucket that
   * is not there, or of a key that is wrong. Where nothing was read yet, nobody knows whether anything may be.
   */
  const requireMissing = async (status: number, name: string): Promise<void> => {
    if (status === 404 && isBucketThere) return;
    const { statusCode, body } = await ask('GET', name, { range: 'bytes=0-0' });
    const code = codeOf(await body.text());
    if (status === 404 && code !== 'NoSuchBucket') return void (isBucketThere = statusCode === 404);
    if (status === 403 && code === 'AccessDenied' && hasRead && !(await canList())) return;
    throw new Error(refusal(status, code, 'HEAD', name));
  };

  return {
    async write(name, source, contentType) {
      requireStorablePath(name);
      const mark = randomUUID();
      const headers = { 'content-type': contentType, 'if-none-match': '*', [MARK]: mark };
      const answer = await ask('PUT', name, headers, source);
      if (answer.statusCode !== 412) return requireSuccess(answer, 'PUT', name);
      await answer.body.dump();
      // A store that fails may have written all the same, and the next try then meets its own file.
      if (!(await isWrittenBy(name, mark))) throw new PathTakenError(name);
    },
    async find(name) {
      if (!isStorablePath(name)) return undefined;
      const head = await ask('HEAD', name);
      if (head.statusCode === 404 || head.statusCode === 403) {
        await head.body.dump();
        return void (await requireMissing(head.statusCode, name));
      }
      await requireSuccess(head, 'HEAD', name);
      isBucketThere = hasRead = true;
      return {
        size: Number(head.headers['content-length']),
        modified: new Date(String(head.headers['last-modified'])),
        async read(range) {
          const answer = await ask('GET', name, range ? { range: `bytes=${range.start}-${range.end}` } : {});
          if (answer.statusCode === (range ? 206 : 200)) return answer.body;
          throw await storeFault(answer, 'GET', name);
        },
      };
    },
    async remove(name) {
      requireStorablePath(name);
      const answer = await ask('DELETE', name);
      if (answer.statusCode !== 404) return requireSuccess(answer, 'DELETE', name);
      await answer.body.dump();
    },
    // What was not sent to its end is not there.
    removeUnfinished: () => Promise.resolve(),
    close: agent.close,
  };
}

/** 409 is another writer of the same name at the same moment, of whom nobody knows yet whether he gets it. */
const isForNow = (status: number): boolean => status === 409 || status === 429 || status >= 500;

async function dumped<T>({ body }: Dispatcher.ResponseData, value: T): Promise<T> {
  await body.dump();
  return value;
}

async function requireSuccess(answer: Dispatcher.ResponseData, method: Method, name: string): Promise<void> {
  if (answer.statusCode < 200 || answer.statusCode > 299) throw await storeFault(answer, method, name);
  await answer.body.dump();
}

/** A clock that is wrong, a wrong key and a right that is missing are all 403: what the store calls it tells them apart. */
async function storeFault(
  { statusCode, body }: Dispatcher.ResponseData,
  method: Method,
  name: string,
): Promise<Error> {
  return new Error(refusal(statusCode, codeOf(await body.text()), method, name));
}

const codeOf = (text: string): string | undefined => /<Code>(\w{1,100})<\/Code>/.exec(text)?.[1];

const refusal = (status: number, code: string | undefined, method: Method, name: string): string =>
  `The file store answered ${status}${code ? ` (${code})` : ''} to ${method} ${name}.`;
