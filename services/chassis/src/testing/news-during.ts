/** What a database tells as news of what is written meanwhile: the tags of each message, in their order. */
import { Client } from 'pg';
import type { Database } from '../db/sql';
import { tagsOf } from '../news/wrote';
import { until } from './until';

const END = 'the-end';

export async function newsDuring(db: Database, work: () => Promise<unknown>): Promise<string[]> {
  const listener = new Client({ connectionString: db.pool.options.connectionString });
  const heard: string[] = [];
  listener.on('notification', ({ payload = '' }) => heard.push(tagsOf(payload)));
  await listener.connect();
  try {
    await listener.query('listen news');
    await work();
    await db.run('select tell_news($1)', [END]);
    await until(() => heard.includes(END));
    return heard.slice(0, heard.indexOf(END));
  } finally {
    await listener.end();
  }
}
