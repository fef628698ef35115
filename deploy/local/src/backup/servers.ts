/** The PostgreSQL server of a stack that does not run. */
import path from 'node:path';
import { checkDatabase } from '../databases';
import { startPostgres } from '../postgres';
import type { StackSettings } from '../settings';

/** The one that DATABASE_URL names, or that of the data folder, which runs for as long as the work takes. */
export async function withServer<T>(
  settings: Pick<StackSettings, 'DATABASE_URL' | 'dataDir'>,
  say: (line: string) => void,
  work: (adminUrl: string) => Promise<T>,
): Promise<T> {
  if (settings.DATABASE_URL !== '') {
    await checkDatabase(settings.DATABASE_URL);
    return work(settings.DATABASE_URL);
  }
  const server = await startPostgres({ dir: path.join(settings.dataDir, 'postgres'), log: say });
  try {
    return await work(server.adminUrl);
  } finally {
    await server.stop();
  }
}
