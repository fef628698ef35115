/** What a filter asks for, checked: everything wrong is told at once. */
import { type ParamFault, invalidParams } from '@sevenfold/chassis/errors';
import type { SubmissionFilter } from '@sevenfold/proto/gen/sevenfold/forms/v1/submission';
import { readMoment } from '@sevenfold/text/dates';
import { stripControl } from '@sevenfold/text/text';
import type { Deps } from '../deps';
import { siteZone } from '../mail/site';
import { FOLDERS, isFolder } from './presenter';
import type { Filter } from './store';

const LONGEST_SEARCH = 500;
const MOMENT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** The zone that a filter is read in: asked for only where it has a date. */
export const zoneOf = async (
  { site, config }: Pick<Deps, 'site' | 'config'>,
  { after, before }: Partial<SubmissionFilter> = {},
): Promise<string> => (after || before ? siteZone(site, config.SITE_TIMEZONE) : config.SITE_TIMEZONE);

/** Days, and moments without an offset, are those of `zone`. */
export function filterOf(given: Partial<SubmissionFilter> | undefined, zone: string): Filter {
  const asked = given ?? {};
  const faults: ParamFault[] = [];
  const fault = (param: string, message: string): undefined => {
    faults.push({ param, code: 'rest_invalid_param', message });
    return undefined;
  };
  const moment = (param: 'after' | 'before'): Date | undefined => {
    const text = asked[param] ?? '';
    if (text === '') return undefined;
    const whole = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text;
    const date = MOMENT.test(text) ? readMoment(whole, zone) : undefined;
    return date ?? fault(param, `${param} is a day or a moment, such as 2030-01-31 or 2030-01-31T18:00:00Z.`);
  };
  const status = asked.status ?? '';
  const search = stripControl(asked.search ?? '').trim();
  const filter: Filter = {
    search: search.length > LONGEST_SEARCH ? fault('search', 'search is too long.') : search,
    form: asked.formId ? asked.formId : undefined,
    status:
      status === ''
        ? undefined
        : isFolder(status)
          ? FOLDERS[status]
          : fault('status', 'status is one of inbox, spam, trash.'),
    after: moment('after'),
    before: moment('before'),
    email: asked.email ? stripControl(asked.email).trim() : undefined,
  };
  if (faults.length > 0) throw invalidParams(faults);
  return filter;
}
