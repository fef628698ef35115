/** Making and changing forms: what was sent over what is there. */
import type { ArgsOf } from '@sevenfold/chassis/http/args';
import { type ApiError, toApiError } from '@sevenfold/chassis/errors';
import { toBoolean } from '@sevenfold/chassis/http/coerce';
import { cutSlug, nextFreeSlug, slugify } from '@sevenfold/text/slug';
import { stripControl } from '@sevenfold/text/text';
import type { Deps } from '../deps';
import { errors } from '../errors';
import { LOCALE, UNTITLED, defaultsFor } from './defaults';
import { MESSAGES, type MailTemplate, type Messages } from './properties';
import { MAIL_FLAGS, MAIL_TEXTS, type createArgs } from './schema';
import * as store from './store';

type Given = Pick<Deps, 'db'>;
export type WriteArgs = Omit<ArgsOf<typeof createArgs>, 'id' | 'context'>;

/** With any number behind it a slug still begins with what the taken ones are looked for by. */
const LONGEST_SLUG = 190;

/** What a new form is where nothing was sent. */
export const newForm = (siteUrl: string): store.FormFields => ({
  title: UNTITLED,
  locale: LOCALE,
  ...defaultsFor(siteUrl),
});

/** Texts that are null become empty, but for the title, which stays; of objects only what they name is changed. */
export function merged(before: store.FormFields, sent: WriteArgs): store.FormFields {
  const text = (name: 'locale' | 'form' | 'additional_settings'): string =>
    sent[name] === undefined ? before[name] : lines(sent[name] ?? '');
  const title = sent.title === undefined || sent.title === null ? before.title : clean(sent.title).trim();
  return {
    title: title === '' ? UNTITLED : title,
    locale: text('locale'),
    form: text('form'),
    mail: { ...mergedMail(before.mail, sent.mail), active: true },
    mail_2: mergedMail(before.mail_2, sent.mail_2),
    messages: mergedMessages(before.messages, sent.messages),
    additional_settings: text('additional_settings'),
  };
}

const clean = (text: string): string => stripControl(text);
const lines = (text: string): string => clean(text.replace(/\r\n?/g, '\n'));

/** Values were checked by the arguments. */
const asText = (value: unknown): string => lines(String((value as string | number | null) ?? ''));

type Sent = Readonly<Record<string, unknown>> | null | undefined;

function mergedMail(before: MailTemplate, sent: Sent): MailTemplate {
  if (!sent) return before;
  const given = (names: readonly string[], read: (value: unknown) => unknown): [string, unknown][] =>
    names.filter((name) => sent[name] !== undefined).map((name) => [name, read(sent[name])]);
  return {
    ...before,
    ...Object.fromEntries([
      ...given(MAIL_TEXTS, asText),
      ...given(MAIL_FLAGS, (value) => toBoolean(value) ?? false),
    ]),
  };
}

function mergedMessages(before: Messages, sent: Sent): Messages {
  const given = MESSAGES.filter((name) => sent?.[name] !== undefined);
  return { ...before, ...Object.fromEntries(given.map((name) => [name, asText(sent?.[name])])) };
}

export const createForm = (deps: Given, fields: store.FormFields): Promise<store.FormRow> =>
  kept(errors.cannotSave, () =>
    deps.db.transaction(async (tx) => {
      const base = cutSlug(slugify(fields.title), LONGEST_SLUG) || 'contact-form';
      const slug = nextFreeSlug(base, await store.takenSlugs(tx, base));
      return (await store.insert(tx, slug, fields)) as store.FormRow;
    }),
  );

/** Under its lock: of two changes at once each keeps what the other one did not name. */
export const updateForm = (deps: Given, id: number, sent: WriteArgs): Promise<store.FormRow> =>
  kept(errors.cannotSave, () =>
    deps.db.transaction(async (tx) => {
      const before = await store.lock(tx, id);
      const row = before && (await store.update(tx, id, merged(before, sent)));
      if (!row) throw errors.notFound();
      return row;
    }),
  );

export const deleteForm = (deps: Given, id: number): Promise<void> =>
  kept(errors.cannotDelete, async () => {
    if (!(await store.remove(deps.db, id))) throw errors.notFound();
  });

/** What comes of a write; faults of what keeps forms are told as those of forms. */
async function kept<T>(told: (fault: ApiError) => ApiError, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const known = toApiError(error);
    throw known.status >= 500 ? told(known) : known;
  }
}
