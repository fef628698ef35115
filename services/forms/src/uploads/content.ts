/** Which uploaded files are taken, by their content. What a browser or a machine would run is not, under any name. */
import { contentMatches, typeOfEnding } from '@sevenfold/chassis/files/file-types';
import { oneLine } from '../mail/header-text';

const LONGEST_NAME = 150;

/** The type that name and first bytes agree on; undefined: it is not taken. */
export function typeOf(name: string, head: Buffer): string | undefined {
  const ending = endingOf(name);
  const type = typeOfEnding(ending);
  return type && !type.active && contentMatches(ending, head) ? type.mime : undefined;
}

const endingOf = (name: string): string => /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? '';

/**
 * A name without folders, controls and what file systems or readers of mail take for more than a letter. The ending is the one
 * that `typeOf` judged: it is taken before anything is cut.
 */
export function cleanName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  const ending = endingOf(last);
  const stem = ending === '' ? last : last.slice(0, -ending.length - 1);
  const plain = oneLine(stem.replace(/[<>:"|?*\p{Cf}]/gu, ''), Infinity).replace(/^[. ]+/, '');
  return `${oneLine(plain, LONGEST_NAME) || 'file'}${ending === '' ? '' : `.${ending}`}`;
}
