/** A stored submission as mail sees it: fields with what their pipes stand for, files, and the values of special tags. */
import { isZone } from '@sevenfold/text/dates';
import { decodeEntities, stripTags } from '@sevenfold/text/html';
import type { Settings } from '@sevenfold/proto/gen/sevenfold/content/v1/settings';
import type { Post } from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
import type { Meta } from '../feedback/store';
import type { FormRow } from '../forms/store';
import type { MailName } from '../forms/properties';
import type { SubmissionRow } from '../submissions/store';
import { CHOOSING, type Form, type FormTag } from '../tags/form';
import { SPECIAL_NAMES, type SpecialName, mailFields } from '../tags/mail-names';
import { freeTextIn } from '../tags/values';
import type { UploadRow } from '../uploads/store';
import { formatDate } from './format-date';
import type { Submitted, SubmittedField } from './template';

export interface Parts {
  readonly submission: SubmissionRow;
  readonly form: FormRow;
  /** What its text means. */
  readonly parsed: Form;
  readonly uploads: readonly UploadRow[];
  readonly settings: Settings;
  readonly siteUrl: string;
  readonly mail: MailName;
  /** The page with the form, where templates name it and everybody may read it. */
  readonly page?: Pick<Post, 'slug' | 'title' | 'link' | 'authorName'>;
}

export function submittedOf(parts: Parts): Submitted {
  const { submission, parsed, uploads } = parts;
  const fields = new Map<string, SubmittedField>();
  for (const [name, value] of Object.entries(submission.values))
    fields.set(name, { raw: typeof value === 'string' ? [value] : value });
  for (const tag of mailFields(parsed)) fields.set(tag.name, withPipes(tag, fields.get(tag.name)?.raw ?? []));
  return {
    fields,
    files: uploads,
    special: specialOf(parts),
    messageId: messageIdOf(parts),
    date: dateOf(submission),
    zone: zoneOf(parts),
  };
}

function withPipes(tag: FormTag, raw: readonly string[]): SubmittedField {
  if (!CHOOSING.has(tag.type)) return { raw };
  const parts = raw.map((text) => partsOf(tag, text));
  if (parts.every(({ piped }) => piped === undefined)) return { raw };
  return { raw, piped: parts.map(({ piped = '' }) => piped), own: parts.map(({ own }) => own) };
}

/** What the form may have offered once, but does no more, is as good as written by the visitor. */
function partsOf(tag: FormTag, text: string): { readonly piped?: string; readonly own: string } {
  const chosen = tag.choices.find(({ label }) => label === text);
  if (chosen) return { piped: chosen.value, own: '' };
  const own = freeTextIn(tag, text);
  return own === undefined ? { own: text } : { piped: tag.choices.at(-1)?.value, own };
}

const dateOf = ({ createdAt }: SubmissionRow): Date => new Date(`${createdAt.replace(' ', 'T')}Z`);

const zoneOf = ({ settings: { timezone } }: Parts): string => (isZone(timezone) ? timezone : 'UTC');

/** The same for every try, and another one for a submission of that number in another database. */
function messageIdOf({ submission, siteUrl, mail }: Parts): string {
  const moment = BigInt(submission.createdAt.replace(/\D/g, '').padEnd(20, '0')).toString(36);
  return `<form-${submission.formId}.${submission.id}.${mail}.${moment}@${new URL(siteUrl).hostname}>`;
}

function specialOf(parts: Parts): ReadonlyMap<string, string> {
  const { submission, form, settings, siteUrl, page } = parts;
  const { meta } = submission;
  const formatted = (format: string): string => formatDate(dateOf(submission), format, zoneOf(parts));
  const text = (name: string): string => {
    const value = meta[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const user = meta.user as Meta['user'];
  return new Map<SpecialName, string>([
    // What is not known of a submission stands for nothing.
    ...(Object.keys(SPECIAL_NAMES) as SpecialName[]).map((name) => [name, ''] as const),
    ['_site_title', settings.title],
    ['_site_description', settings.description],
    ['_site_url', siteUrl],
    ['_site_domain', new URL(siteUrl).hostname],
    ['_site_admin_email', settings.email],
    ['_form_title', form.title],
    ['_form_id', String(form.id)],
    ['_contact_form_title', form.title],
    ['_contact_form_locale', form.locale],
    ['_serial_number', String(submission.id)],
    ['_date', formatted(settings.dateFormat || 'F j, Y')],
    ['_time', formatted(settings.timeFormat || 'g:i a')],
    ['_remote_ip', text('address')],
    ['_user_agent', text('agent')],
    ['_referrer', text('referrer')],
    ['_url', text('url')],
    ['_post_url', page?.link ?? text('url')],
    ['_post_id', text('container') === '0' ? '' : text('container')],
    ['_post_name', page?.slug ?? ''],
    // Titles and names of users are HTML, and what stands in a mail is text.
    ['_post_title', decodeEntities(stripTags(page?.title ?? '')).trim()],
    ['_post_author', decodeEntities(page?.authorName ?? '')],
    ['_user_login', user?.login ?? ''],
    ['_user_email', user?.email ?? ''],
    ['_user_url', user?.url ?? ''],
    ['_user_display_name', decodeEntities(user?.name ?? '')],
  ]);
}
