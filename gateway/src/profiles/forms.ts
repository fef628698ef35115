/**
 * Words in forms, exchanged while they pass: names of fields, and the values of those few that are words. Files and all
 * other values go on byte by byte.
 */
import { argumentOf, swapPair } from './addresses';
import { LONGEST, type Translator } from './json';
import type { Place } from './places';
import type { Swap } from './profile';
import type { Swaps } from './swaps';

/** Of `application/x-www-form-urlencoded`. */
export function pairsTranslator(place: Place, swaps: Swaps): Translator {
  let held = '';
  /** Within a pair that goes on as it is. */
  let passing = false;

  const read = (text: string): string => {
    const pairs = text.split('&');
    held = pairs.pop() as string;
    const told = pairs.map((pair, index) => {
      if (index > 0 || !passing) return swapPair(pair, place, swaps);
      passing = false;
      return pair;
    });
    if (passing || held.length > LONGEST) {
      const cut = passing ? held : swapPair(held, nameOnly(place), swaps);
      passing = true;
      held = '';
      return [...told, cut].join('&');
    }
    return told.map((pair) => `${pair}&`).join('');
  };
  return {
    write: (chunk) => Buffer.from(read(held + chunk.toString('latin1')), 'latin1'),
    end: () => Buffer.from(passing ? '' : swapPair(held, place, swaps), 'latin1'),
  };
}

const nameOnly = ({ names }: Place): Place => ({ names });

const HEAD_END = '\r\n\r\n';

/** Of `multipart/form-data`; undefined where nobody can tell its parts. */
export function partsTranslator(contentType: string, place: Place, swaps: Swaps): Translator | undefined {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return undefined;
  const delimiter = `\r\n--${boundary}`;
  /** Reads what it can of the text and says where it stopped; what it tells goes on. */
  type State = (text: string, from: number, last: boolean) => readonly [told: string, to: number] | undefined;
  let state: State;
  let swapValue: Swap | undefined;

  const between: State = (text, from, last) => {
    const at = text.indexOf(delimiter, from);
    const to = at >= 0 ? at + delimiter.length : last ? text.length : text.length - delimiter.length + 1;
    if (at >= 0) state = head;
    return to > from ? [text.slice(from, to), to] : undefined;
  };
  const head: State = (text, from, last) => {
    const end = text.indexOf(HEAD_END, from);
    if (end < 0) {
      if (!last && text.length - from <= LONGEST) return undefined;
      state = between;
      return ['', from];
    }
    const to = end + HEAD_END.length;
    const field = fieldIn(text.slice(from, end));
    state = between;
    if (!field) return [text.slice(from, to), to];
    const { renamed, swap } = argumentOf(field.name, place, swaps);
    // What comes as a file is nobody's word.
    if (swap && !field.isFile) {
      swapValue = swap;
      state = value;
    }
    if (renamed === field.name) return [text.slice(from, to), to];
    const [begin, stop] = [from + field.at, from + field.at + field.name.length];
    return [text.slice(from, begin) + renamed + text.slice(stop, to), to];
  };
  const value: State = (text, from, last) => {
    const end = text.indexOf(delimiter, from);
    if (end < 0 && !last && text.length - from <= LONGEST) return undefined;
    state = between;
    return end < 0 ? ['', from] : [swapValue?.(text.slice(from, end)) ?? '', end];
  };

  // The first delimiter may be what a body begins with.
  let held = '\r\n';
  let added = held.length;
  state = between;
  const read = (more: string, last: boolean): Buffer => {
    const text = held + more;
    let told = '';
    let at = 0;
    for (let done = state(text, at, last); done; done = state(text, at, last)) {
      told += done[0];
      at = done[1];
    }
    held = text.slice(at);
    const cut = Math.min(added, told.length);
    added -= cut;
    return Buffer.from(told.slice(cut), 'latin1');
  };
  return { write: (chunk) => read(chunk.toString('latin1'), false), end: () => read('', true) };
}

const PARAMETER = /;\s*([\w*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g;

/** Which field the head of a part names, and where in it. */
function fieldIn(head: string): { name: string; at: number; isFile: boolean } | undefined {
  const line = /(?:^|\r\n)content-disposition:\s*form-data(?=\s*;)/i.exec(head);
  if (!line) return undefined;
  const start = line.index + line[0].length;
  const end = head.indexOf('\r\n', start);
  let field: { name: string; at: number } | undefined;
  let isFile = false;
  for (const found of head.slice(start, end < 0 ? undefined : end).matchAll(PARAMETER)) {
    const [whole, parameter = '', quoted, bare = ''] = found;
    const name = quoted ?? bare;
    const at = start + found.index + whole.lastIndexOf(name);
    if (/^filename\*?$/i.test(parameter)) isFile = true;
    else if (!field && /^name$/i.test(parameter)) field = { name, at };
  }
  return field && { ...field, isFile };
}
