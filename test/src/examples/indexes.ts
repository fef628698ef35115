/** The indexes, which are long: of the routes of each only one is asked for. */
import { declared } from '../support/declared';
import { type Step, get } from './step';

const SITE_FIELDS = 'name,description,url,home,gmt_offset,timezone_string,namespaces,authentication,_links';

export const indexes: readonly Step[] = [
  get(`/?_fields=${SITE_FIELDS},routes./core/v2/settings`, { as: 'visitor' }),
  ...declared.map(({ row: { namespace }, definition: { resources } }) => {
    // A dot separates names of fields, so one in the name of a namespace cannot be reached.
    const route = namespace.includes('.') ? '' : `./${namespace}${shortest(resources)}`;
    return get(`/${namespace}?_fields=namespace,routes${route},_links`, { as: 'visitor' });
  }),
];

/** The path of the route with the fewest arguments. */
function shortest(resources: (typeof declared)[number]['definition']['resources']): string {
  const routes = resources.flatMap((resource) => resource.routes).filter(({ unlisted }) => !unlisted);
  const count = ({ args }: (typeof routes)[number]): number => Object.keys(args as object).length;
  return routes.filter(({ path }) => !/[.,]/.test(path)).sort((a, b) => count(a) - count(b))[0]?.path ?? '';
}
