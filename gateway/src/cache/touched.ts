/** Which services a write may reach, by whom the catalog says they call. */
import { type ServiceName, databaseServices, services } from '@sevenfold/catalog/catalog';

/** News are told by those that have a database to hear them from. */
export const hasNews = (service: string): boolean => databaseServices.includes(service as ServiceName);

const touched = new Map<string, ReadonlySet<string>>();

/** A write reaches the services that its own calls, and those that they call; one of the console may reach all. */
export function touchedBy(service: string): ReadonlySet<string> {
  let all = touched.get(service);
  if (!all) {
    const found = new Set<string>();
    const visit = (name: string): void => {
      if (found.has(name)) return;
      found.add(name);
      const row = services.find((one) => one.name === (name as ServiceName));
      (row?.calls ?? services.map((one) => one.name)).forEach(visit);
    };
    visit(service);
    touched.set(service, (all = found));
  }
  return all;
}
