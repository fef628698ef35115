/*
 * What the text of a contact form means, once it was read: pieces of text and tags, with everything checked that
 * can be checked before a visitor comes. Plain data; made by parseForm, never changed.
 */

/** Which field a tag makes, as it is written behind the bracket. */
export type TagType =
  | 'text'
  | 'email'
  | 'url'
  | 'tel'
  | 'textarea'
  | 'number'
  | 'range'
  | 'date'
  | 'select'
  | 'checkbox'
  | 'radio'
  | 'acceptance'
  | 'quiz'
  | 'file'
  | 'hidden'
  | 'submit'
  | 'count'
  | 'response'
  | 'captchac'
  | 'captchar'
  | 'recaptcha';

/** Options that are one bare word. */
export type Flag =
  | 'multiple'
  | 'include_blank'
  | 'first_as_label'
  | 'exclusive'
  | 'free_text'
  | 'label_first'
  | 'use_label_element'
  | 'placeholder'
  | 'readonly'
  | 'optional'
  | 'invert'
  | 'up'
  | 'down';

/** Which part of a message's sender a field holds, for the spam filter. */
export type SenderPart = 'author' | 'author_email' | 'author_url';

/** Where a tag stands: offsets in UTF-16 units, lines and columns from 1. */
export interface Place {
  start: number;
  end: number;
  line: number;
  column: number;
}

/** Something wrong with the text of a form, where it is. The form works without what is wrong. */
export interface Fault {
  code: FaultCode;
  line: number;
  column: number;
  message: string;
}

export type FaultCode =
  | 'unclosed_tag'
  | 'unclosed_content'
  | 'name_missing'
  | 'name_invalid'
  | 'name_taken'
  | 'option_invalid'
  | 'option_unknown'
  | 'range_empty'
  | 'value_missing'
  | 'star_unused'
  | 'not_offered'
  | 'too_many_tags';

/** Tells what is wrong at an offset of the text. */
export type Report = (offset: number, code: FaultCode, message: string) => void;

/** A quoted value. `label` is what visitors see and send, `value` (behind the `|`, else the same) what mail shows. */
export interface Choice {
  label: string;
  value: string;
}

export interface TagSettings {
  id?: string;
  classes: string[];
  /** Numbers, dates (`YYYY-MM-DD`) or, of date fields, days from today (`today+7days`), as written. */
  min?: string;
  max?: string;
  step?: string;
  /** In code points; a line end counts as one. */
  minLength?: number;
  maxLength?: number;
  size?: number;
  columns?: number;
  rows?: number;
  /** Bytes of one file. */
  limit?: number;
  /** Lower case: endings (`png`) or types (`image/*`, `image/png`). */
  fileTypes?: string[];
  /** Choices taken at first, counted from 1. */
  defaultChoices: number[];
  /** Where a first value comes from, first found wins: `get`, `post`, `user_email`, … */
  defaultSources: string[];
  autocomplete?: string;
  tabIndex?: number;
  sender?: SenderPart;
  flags: ReadonlySet<Flag>;
}

export interface FormTag {
  type: TagType;
  /** '' where the type has none (submit, response). */
  name: string;
  /** Whether the star was written. What a visitor must fill in says `isRequired`. */
  starred: boolean;
  /** The words behind the name, as written. */
  options: string[];
  /** The quoted values as written, with the quote that opened them. */
  values: { text: string; quote: string }[];
  choices: Choice[];
  settings: TagSettings;
  /** What stands between the tag and its closing one, where there is one. */
  content: string | undefined;
  place: Place;
}

/** `escaped`: a tag in double brackets, `text` is what it shows. */
export type Part =
  { kind: 'text'; text: string } | { kind: 'escaped'; text: string } | { kind: 'tag'; tag: FormTag };

export interface Form {
  parts: Part[];
  /** The tags among the parts, in order. */
  tags: FormTag[];
  faults: Fault[];
}

export interface TypeRules {
  /** Whether the first word is a name, under which visitors send something. */
  named: boolean;
  /** Whether a star means anything. */
  starred: boolean;
  encloses: boolean;
  /** Whether visitors fill something in that belongs to the message. */
  sends: boolean;
  multipleAnswers: 'never' | 'always' | 'flagged';
}

const FIELD: TypeRules = {
  named: true,
  starred: true,
  encloses: false,
  sends: true,
  multipleAnswers: 'never',
};
const PLAIN: TypeRules = {
  named: false,
  starred: false,
  encloses: false,
  sends: false,
  multipleAnswers: 'never',
};

export const TYPES: Readonly<Record<TagType, TypeRules>> = {
  text: FIELD,
  email: FIELD,
  url: FIELD,
  tel: FIELD,
  textarea: { ...FIELD, encloses: true },
  number: FIELD,
  range: FIELD,
  date: FIELD,
  select: { ...FIELD, multipleAnswers: 'flagged' },
  checkbox: { ...FIELD, multipleAnswers: 'always' },
  radio: FIELD,
  acceptance: { ...FIELD, starred: false, encloses: true },
  quiz: { ...FIELD, starred: false },
  file: FIELD,
  hidden: { ...FIELD, starred: false },
  submit: PLAIN,
  count: { ...PLAIN, named: true },
  response: PLAIN,
  captchac: { ...PLAIN, named: true },
  captchar: { ...FIELD, starred: false },
  recaptcha: PLAIN,
};

export function isTagType(word: string): word is TagType {
  return Object.hasOwn(TYPES, word);
}

/** Whether visitors must fill it in. One of a group of radio buttons always has to be taken. */
export function isRequired(tag: FormTag): boolean {
  return tag.type === 'radio' || tag.type === 'quiz' || tag.type === 'captchar' || tag.starred;
}

/** Whether visitors send a list. */
export function isList(tag: FormTag): boolean {
  const { multipleAnswers } = TYPES[tag.type];
  if (multipleAnswers === 'flagged') return tag.settings.flags.has('multiple');
  return multipleAnswers === 'always' && !tag.settings.flags.has('exclusive');
}

/** What visitors choose from. */
export const CHOOSING: ReadonlySet<TagType> = new Set<TagType>(['select', 'checkbox', 'radio']);

/**
 * The tags that visitors fill in, one for each name: of two the first. But what is chosen from may stand in several places of a form,
 * as in two columns: then it is one field, with the choices of all of them.
 */
export function fieldsOf(form: Form): FormTag[] {
  const places = new Map<string, [FormTag, ...FormTag[]]>();
  for (const tag of form.tags) {
    if (!TYPES[tag.type].sends) continue;
    const known = places.get(tag.name);
    if (!known) places.set(tag.name, [tag]);
    else if (known[0].type === tag.type && CHOOSING.has(tag.type)) known.push(tag);
  }
  return [...places.values()].map((tags) => (tags.length === 1 ? tags[0] : together(tags)));
}

/** Options are those of the first place. A visitor's own words follow the last choice of all, wherever they are asked for. */
function together(tags: readonly [FormTag, ...FormTag[]]): FormTag {
  const [first] = tags;
  const { settings } = first;
  const free = tags.find((tag) => tag.settings.flags.has('free_text'));
  const others = tags.filter((tag) => tag !== free);
  return {
    ...first,
    starred: tags.some(({ starred }) => starred),
    choices: [...others, ...(free ? [free] : [])].flatMap(({ choices }) => choices),
    settings: free ? { ...settings, flags: new Set([...settings.flags, 'free_text' as const]) } : settings,
  };
}
