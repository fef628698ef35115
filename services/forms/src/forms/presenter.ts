/** From rows to public forms. */
import type { FormFields, FormName } from './store';

export const presentName = ({ id, slug, title, locale }: FormName): object => ({ id, slug, title, locale });

/** A form that is not kept has neither id nor slug; the answer that makes one tells no slug yet. */
export interface ShownForm extends FormFields {
  readonly id: number | null;
  readonly slug: string | null;
  /** Only of writes. */
  readonly configErrors?: object;
}

export const presentForm = (form: ShownForm): object => ({
  id: form.id,
  slug: form.slug,
  title: form.title,
  locale: form.locale,
  properties: {
    form: form.form,
    mail: form.mail,
    mail_2: form.mail_2,
    messages: form.messages,
    additional_settings: form.additional_settings,
  },
  ...(form.configErrors && { config_errors: form.configErrors }),
});
