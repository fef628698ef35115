/**
 * Names of stored files: the client's own name made safe for an address and a file system, below the year and month of
 * its upload. The ending keeps deciding how the file is served, so it must be the last one and the only known one.
 */
import { normalized } from '@sevenfold/text/normalized';
import { shorten } from '@sevenfold/text/text';
import { trim, trimEnd } from '@sevenfold/text/trim';
import { typeOfEnding } from '@sevenfold/chassis/files/file-types';

const LONGEST_STEM = 120;
/** Between words; at an end they look like a mistake. */
const JOINTS = '.-_';

export interface FileName {
  /** Without folder and ending, such as `summer-fair`. */
  readonly stem: string;
  /** Lower-case, without the dot. */
  readonly ending: string;
  /** The same with letters of all alphabets: the title of an upload that has none. */
  readonly title: string;
}

/** Undefined for a name that has no ending. */
export function toFileName(given: string): FileName | undefined {
  const base = normalized(given, 'NFC').split(/[\\/]/).at(-1)?.trim() ?? '';
  const dot = base.lastIndexOf('.');
  if (dot < 0 || dot === base.length - 1) return undefined;
  const ending = base.slice(dot + 1).toLowerCase();
  if (!/^[a-z0-9]{1,10}$/.test(ending)) return undefined;
  const name = base.slice(0, dot).replaceAll('%20', ' ');
  return { stem: cleanStem(name), ending, title: hyphenate(name, /[^\p{L}\p{M}\p{N}._-]+/gu) || 'file' };
}

const cleanStem = (name: string): string =>
  hyphenate(normalized(name, 'NFD').replace(/\p{M}/gu, ''), /[^A-Za-z0-9._-]+/g) || 'file';

function hyphenate(name: string, others: RegExp): string {
  const plain = name
    .replace(/['"‘’“”]/g, '')
    .replace(others, '-')
    // `evil.html.png`: some servers and clients go by any ending they know.
    .replace(/\.([A-Za-z0-9]{1,10})(?=\.|$)/g, (whole: string, inner: string) =>
      typeOfEnding(inner) || /^(?:php\d?|phtml|js|exe|sh|cgi)$/i.test(inner) ? `_${inner}` : whole,
    )
    .replace(/-{2,}/g, '-');
  return trimEnd(shorten(trim(plain, JOINTS), LONGEST_STEM), JOINTS);
}

/** `2024/05` of a local time `2024-05-06 07:08:09`. */
export const folderOf = (local: string): string => local.slice(0, 7).replace('-', '/');

/** The stem itself, then `-1`, `-2` … */
export const numbered = (stem: string, tries: number): string => (tries === 0 ? stem : `${stem}-${tries}`);
