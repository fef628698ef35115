/** The superuser of a stack's own PostgreSQL: its password stands beside the data. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestStack } from './stack';

/** Of the database of a service, or of the server's own. */
export function superuserUrl(stack: TestStack, service?: string): string {
  const databases = stack.run().databases as Readonly<Record<string, string>>;
  const url = new URL((service === undefined ? Object.values(databases)[0] : databases[service]) as string);
  url.username = 'postgres';
  url.password = readFileSync(path.join(stack.dataDir, 'postgres', 'superuser-password'), 'utf8').trim();
  if (service === undefined) url.pathname = '/postgres';
  return url.href;
}
