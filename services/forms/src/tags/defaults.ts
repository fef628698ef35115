/** What stands in a field at first, or again after it was sent and refused. */

import { dayOf } from './dates';
import { CHOOSING, isList, type Form, type FormTag } from './form';
import { freeTextField, freeTextIn, listOf, readValues, type Posted, type Values } from './values';

export interface Sources {
  /** Arguments of the page's address, for `default:get`. */
  query: Posted;
  /** What is known of who reads the page and of the page, by source: `user_email`, `post_title`. */
  reader: Readonly<Record<string, string>>;
  /** Today at the site, `YYYY-MM-DD`. */
  today: string;
  /** What was sent, where the form is shown again. */
  outcome?: { status: string; values: Values };
}

export interface Shown {
  /** In order; of fields with one value at most one. */
  valuesOf: (tag: FormTag) => string[];
  /** The visitor's own words behind the last choice. */
  freeTextOf: (tag: FormTag) => string;
}

export function shownValues(form: Form, { outcome, query, reader, today }: Sources): Shown {
  // A form that was sent begins anew.
  const kept = outcome && outcome.status !== 'mail_sent' ? outcome.values : undefined;
  const asked = readValues(form, query);
  return {
    valuesOf(tag) {
      const values = kept ? listOf(kept, tag.name) : firstValues(tag, asked, reader, today);
      return isList(tag) ? values : values.slice(0, 1);
    },
    freeTextOf(tag) {
      const own = kept && listOf(kept, tag.name).map((text) => freeTextIn(tag, text));
      const words = own?.find((text) => text !== undefined);
      if (words !== undefined) return words;
      const given = query[freeTextField(tag.name)];
      return kept || typeof given !== 'string' ? '' : given;
    },
  };
}

function firstValues(tag: FormTag, asked: Values, reader: Sources['reader'], today: string): string[] {
  const { defaultSources, defaultChoices } = tag.settings;
  for (const source of defaultSources) {
    const known = Object.hasOwn(reader, source) ? reader[source] : undefined;
    const found = source === 'get' ? listOf(asked, tag.name) : known ? [known] : [];
    if (found.length > 0) return found;
  }
  if (CHOOSING.has(tag.type)) {
    return defaultChoices.flatMap((at) => tag.choices[at - 1]?.label ?? []);
  }
  if (tag.type === 'acceptance') return defaultChoices.length > 0 ? ['1'] : [];
  const first = writtenValue(tag);
  if (first === undefined) return [];
  // Browsers leave a date empty that is none.
  return [tag.type === 'date' ? (dayOf(first, today) ?? first) : first];
}

/** What the form itself fills in, as it is written there. */
export function writtenValue({ settings, content, choices }: FormTag): string | undefined {
  if (settings.flags.has('placeholder')) return undefined;
  return content?.trim() || choices[0]?.label || undefined;
}
