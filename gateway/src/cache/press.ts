/** Makes the compressed forms of what is kept: one after the other, in threads beside the requests, and only so many. */
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Coding } from '../edge/codings';

const { BROTLI_PARAM_QUALITY: QUALITY, BROTLI_PARAM_SIZE_HINT: SIZE_HINT } = zlib.constants;
const brotli = promisify(zlib.brotliCompress) as (
  body: Buffer,
  options: zlib.BrotliOptions,
) => Promise<Buffer>;
const gzip = promisify(zlib.gzip) as (body: Buffer, options: zlib.ZlibOptions) => Promise<Buffer>;

/** In other threads; beyond quality 5 each percent costs as much as all before it. */
const compress = (body: Buffer, coding: Coding): Promise<Buffer> =>
  coding === 'br'
    ? brotli(body, { params: { [QUALITY]: 5, [SIZE_HINT]: body.length } })
    : gzip(body, { level: 6 });

export interface Press {
  /** Called back with the compressed form, or with what was given where that is smaller; not at all where others wait. */
  readonly press: (body: Buffer, coding: Coding, made: (form: Buffer) => void) => void;
}

/** The threads are also those of files and names. */
const MOST_AT_ONCE = 2;
/** Who finds no room asks again with the next request. */
const MOST_WAITING = 64;

export function openPress(): Press {
  const waiting: (() => Promise<void>)[] = [];
  /** Forms that are being made, by what they are made of. */
  const underWay = new Map<Buffer, Set<Coding>>();
  let running = 0;
  const next = (): void => {
    if (running >= MOST_AT_ONCE) return;
    const work = waiting.shift();
    if (!work) return;
    running += 1;
    void work().finally(() => {
      running -= 1;
      next();
    });
  };
  return {
    press: (body, coding, made) => {
      const its = underWay.get(body) ?? new Set();
      if (its.has(coding) || waiting.length >= MOST_WAITING) return;
      underWay.set(body, its.add(coding));
      waiting.push(async () => {
        try {
          const form = await compress(body, coding);
          made(form.length < body.length ? form : body);
        } catch {
          // Such as no memory for it: it goes out as it is.
          made(body);
        } finally {
          its.delete(coding);
          if (its.size === 0) underWay.delete(body);
        }
      });
      next();
    },
  };
}
