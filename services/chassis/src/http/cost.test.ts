/**
 * What a read costs besides its work. Each promise carries the context of its request along, which Node pays for when it
 * is made, before and after it goes on, and when it is thrown away: a road with one stop more is felt by every read.
 */
import { promisesOf } from '../testing/promises';
import { type SampleDeps, sampleService } from '../testing/sample';
import { type TestService, startTestService } from '../testing/service';

let site: TestService<SampleDeps>;

beforeAll(async () => {
  site = await startTestService(sampleService, {});
  await site.deps.db.run(`insert into notes (text) values ('one'), ('two')`);
});
afterAll(() => site.stop());

test('a read makes few promises besides those of its query', async () => {
  expect(await promisesOf(`${site.url}/rest/sample/v1/notes`)).toBeLessThanOrEqual(17);
});
