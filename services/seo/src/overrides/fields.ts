/** What can be chosen for one object, as one table: by the names that clients know from indexables, and by those of analysis. */
import { type ParamFault, invalidParams } from '@sevenfold/chassis/errors';
import type { Overrides as Message } from '@sevenfold/proto/gen/sevenfold/seo/v1/overrides';
import { type OverrideName, overrideNames, shownName } from '@sevenfold/proto/shown/overrides';
import { stripControl } from '@sevenfold/text/text';
import { LONGEST_DESCRIPTION, LONGEST_NAME } from '../analysis/facts';
import { LONGEST_KEYWORD } from '../analysis/focus';
import { LONGEST_ADDRESS, wholeAddress } from '../analysis/page';
import type { Overrides } from '../analysis/shape';

interface Field {
  /** Its name in analysis. */
  readonly key: keyof Overrides;
  /** Characters of a text; what is longer would be cut where it is shown. Absent: yes or no. */
  readonly most?: number;
  readonly isAddress?: true;
}

export const fields: Readonly<Record<OverrideName, Field>> = {
  title: { key: 'title', most: LONGEST_NAME },
  description: { key: 'description', most: LONGEST_DESCRIPTION },
  canonical: { key: 'canonical', most: LONGEST_ADDRESS, isAddress: true },
  ogTitle: { key: 'ogTitle', most: LONGEST_NAME },
  ogDescription: { key: 'ogDescription', most: LONGEST_DESCRIPTION },
  isRobotsNoindex: { key: 'noindex' },
  isRobotsNofollow: { key: 'nofollow' },
  isRobotsNoarchive: { key: 'noarchive' },
  isRobotsNoimageindex: { key: 'noimageindex' },
  isRobotsNosnippet: { key: 'nosnippet' },
  primaryFocusKeyword: { key: 'focusKeyword', most: LONGEST_KEYWORD },
  isCornerstone: { key: 'isCornerstone' },
};

/** A field by the name it has outside. */
export const fieldNamed = (name: string): OverrideName | undefined =>
  overrideNames.find((field) => shownName(field) === name);

/** What to write and what to take away. */
export interface Changes {
  readonly chosen: Overrides;
  readonly cleared: readonly (keyof Overrides)[];
}

/** Throws 400 that names all that is wrong. A text without anything in it is made by templates again. */
export function readChanges(sent: Message, cleared: readonly string[]): Changes {
  const faults: ParamFault[] = [];
  const chosen: Record<string, string | boolean> = {};
  const taken: (keyof Overrides)[] = [];
  const refuse = (param: string, message: string): void =>
    void faults.push({ param, code: 'rest_invalid_param', message });
  for (const name of cleared) {
    const field = fieldNamed(name);
    if (field) taken.push(fields[field].key);
    else refuse(name, `${name} is nothing that can be chosen.`);
  }
  for (const name of overrideNames) {
    const given = sent[name];
    const field = fields[name];
    if (given === undefined) continue;
    const value = typeof given === 'string' ? oneLine(given) : given;
    const fault = typeof value === 'string' ? faultOf(value, field) : undefined;
    if (fault) refuse(shownName(name), `${shownName(name)} ${fault}`);
    else if (value === '') taken.push(field.key);
    else chosen[field.key] = value;
  }
  if (faults.length > 0) throw invalidParams(faults);
  return { chosen, cleared: taken };
}

const oneLine = (text: string): string => stripControl(text).toWellFormed().replace(/\s+/g, ' ').trim();

function faultOf(text: string, { most = 0, isAddress }: Field): string | undefined {
  if (text.length > most) return `must have at most ${most} characters.`;
  const isWrong = isAddress && text !== '' && wholeAddress(text) === undefined;
  return isWrong ? 'must be a whole address of http or https.' : undefined;
}

export const toMessage = (chosen: Overrides): Message =>
  Object.fromEntries(overrideNames.map((name) => [name, chosen[fields[name].key]]));
