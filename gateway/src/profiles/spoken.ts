/** What an exchange needs of the profile that it is in. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import type { Translator } from './json';

/** Of an exchange, what is looked at; in our words. */
export interface Asked {
  readonly request: IncomingMessage;
  readonly method: string;
  readonly path: string;
}

/** Of an answer. */
export interface Told {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Of its body, where somebody is to know it by that (chassis/src/http/body-hash.ts). */
  readonly bodyHash?: string;
}

export interface Profile {
  readonly name: string;
  /** Headers with numbers that it adds. */
  readonly numbers: readonly string[];
  /** What is said to pages of other sites, as a flat list. */
  readonly cors: readonly string[];
  /** Headers that only scripts send, in lower case. */
  readonly ofScripts: readonly string[];
  /** The body as it goes to a service; undefined where it goes as it is. */
  readonly bodyOf: (asked: Asked) => Transform | undefined;
  /** For the body of an answer; undefined where it goes on as it is. */
  readonly translator: (asked: Asked, status: number, type: string | undefined) => Translator | undefined;
  /** Of an answer whose body is translated, or not. */
  readonly headers: (
    asked: Asked,
    given: Readonly<IncomingHttpHeaders>,
    translated: boolean,
  ) => IncomingHttpHeaders;
  /** The whole of one. */
  readonly answer: <A extends Told>(asked: Asked, answer: A) => A;
  /** The same, remembered for as long as the answer is; for answers that many get. */
  readonly kept: <A extends Told>(asked: Asked, answer: A) => A;
}
