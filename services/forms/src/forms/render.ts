/** A form as it stands in a page. */
import { type Actor, isLoggedIn } from '@sevenfold/chassis/actor';
import { toLocal } from '@sevenfold/text/dates';
import { decodeEntities } from '@sevenfold/text/html';
import type { Deps } from '../deps';
import { readSettings } from '../feedback/settings';
import { siteZone } from '../mail/site';
import type { Form } from '../tags/form';
import { type Outcome, renderForm } from '../tags/render';
import type { FormRow } from './store';

export interface Place {
  readonly unitTag: string;
  /** Number of the page; 0 where it is not known. */
  readonly containerId: number;
  /** Where the browser goes after sending without a script; '' for a page of our own. */
  readonly returnUrl: string;
  /** The page on which it stood first, where it is shown again; '' where that is not known. */
  readonly cameFrom?: string;
  /** When it was shown first, in seconds of Unix time; absent: now. */
  readonly shownAt?: number;
  /** Arguments of the page's address. */
  readonly query: Readonly<Record<string, string>>;
  /** Who reads it. */
  readonly actor: Actor;
  /** What came of sending it, where it is shown again. */
  readonly outcome?: Outcome;
}

const feedbackAddress = ({ root }: Pick<Deps, 'root'>, form: Pick<FormRow, 'id'>): string =>
  `${root}/contact-form/v1/contact-forms/${form.id}/feedback`;

export async function renderedForm(deps: Deps, form: FormRow, place: Place): Promise<string> {
  const parsed = deps.parsed(form);
  const { actor, ...where } = place;
  return renderForm(parsed, {
    ...where,
    version: String(form.version),
    locale: form.locale,
    action: feedbackAddress(deps, form),
    title: form.title,
    reader: isLoggedIn(actor) ? readerOf(actor) : {},
    paragraphs: !readSettings(form.additional_settings).isOff('autop'),
    today: await todayAt(deps, parsed),
    signing: { formId: form.id, keys: deps.signingKeys, now: new Date() },
  });
}

const readerOf = ({ username, email, name, url }: Actor): Record<string, string> => ({
  user_login: username,
  user_email: email,
  // HTML, as the interface has it.
  user_display_name: decodeEntities(name),
  user_url: url,
});

/** The day at the site, whose time zone is asked for only where a date is. */
export async function todayAt({ site, config }: Deps, parsed: Form): Promise<string> {
  const asked = parsed.tags.some(({ type }) => type === 'date');
  const zone = asked ? await siteZone(site, config.SITE_TIMEZONE) : config.SITE_TIMEZONE;
  return toLocal(new Date(), zone).slice(0, 10);
}
