/**
 * What a request has written, as the news that its commits caused (db/told.ts): the session that writes is told them with its own
 * statements. The answer of the request says them, so the gateway it came through shows nothing older, and nobody has to be asked
 * whether all news have come.
 */
import { hash } from 'node:crypto';
import { version } from '../version';

/** Sent by whoever wants to know what a write made old. */
export const WANTS_WROTE_HEADER = 'x-sevenfold-wants-wrote';
/** Messages of the news, each as `[<service>=]<id> <tags>`, one after the other. */
export const WROTE_HEADER = 'x-sevenfold-wrote';

const NOTHING = '-';
/** More would not fit beside an answer. */
const MOST_BYTES = 6_000;

const MESSAGE_LETTERS = 16;
const RELEASE_LETTERS = 4;
const lettersOf = (text: string, many: number): string => hash('sha1', text, 'base64url').slice(0, many);
const OWN_RELEASE = lettersOf(version, RELEASE_LETTERS);

/** Whoever writes hears what his own session told as well: one digest does for both. */
const MOST_LATELY = 64;
const lately = new Map<string, string>();
function digestOf(message: string): string {
  const known = lately.get(message);
  if (known !== undefined) return known;
  const made = lettersOf(message, MESSAGE_LETTERS);
  if (lately.size >= MOST_LATELY) lately.delete(lately.keys().next().value as string);
  lately.set(message, made);
  return made;
}

/**
 * Numbers of the transaction and of the message: equal in all processes of a release, different for different messages. Between
 * releases nothing is kept: another one may answer the same rows in another way, of which no news tell.
 */
export const idOf = (message: string, release = OWN_RELEASE): string => digestOf(message) + release;

/** Of an id the part that all releases say: who has heard a message has heard it, whoever told him. */
export const messageIn = (id: string): string => id.slice(0, MESSAGE_LETTERS);

export const tagsOf = (message: string): string => message.slice(message.indexOf(' ') + 1);

export interface Wrote {
  /** Messages of the own news. */
  tell(messages: Iterable<string>): void;
  /** Something may have been written of which nobody knows more. */
  lost(): void;
  /** Another service is asked to change something; to be called with what its answer says of it, undefined where that says nothing. */
  asks(service: string): (told: string | undefined) => void;
  /** As the header has it; undefined where not all of it is known, or it is too much. */
  told(): string | undefined;
}

export function openWrote(): Wrote {
  const all: string[] = [];
  let bytes = 0;
  let unknown = 0;
  const add = (part: string): void => {
    bytes += part.length + 1;
    if (bytes <= MOST_BYTES) all.push(part);
  };
  return {
    tell: (messages) => {
      for (const message of messages) add(`${idOf(message)} ${tagsOf(message)}`);
    },
    lost: () => {
      unknown += 1;
    },
    asks: (service) => {
      // Until it has answered it may have done anything.
      unknown += 1;
      return (told) => {
        if (told === undefined) return;
        unknown -= 1;
        for (const { service: of = service, id, tags } of messagesOf(told)) add(`${of}=${id} ${tags}`);
      };
    },
    told: () => (unknown > 0 || bytes > MOST_BYTES ? undefined : all.join(' ') || NOTHING),
  };
}

export interface WroteMessage {
  /** Undefined: of the one that says so. */
  readonly service?: string;
  readonly id: string;
  readonly tags: string;
}

/** Reads what the header says. */
export function messagesOf(told: string): WroteMessage[] {
  if (told === NOTHING) return [];
  const parts = told.split(' ');
  const messages: WroteMessage[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [own, tags] = [parts[at] as string, parts[at + 1] as string];
    const sign = own.indexOf('=');
    messages.push(
      sign < 0 ? { id: own, tags } : { service: own.slice(0, sign), id: own.slice(sign + 1), tags },
    );
  }
  return messages;
}
