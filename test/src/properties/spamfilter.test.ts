/** No input gives a 500: every argument of the spam filter's routes, tried with everything, by an administrator. */
import type { Resource } from '@sevenfold/chassis/http/route';
import type { TestService } from '@sevenfold/chassis/testing/service';
import { spamfilterService } from '@sevenfold/spamfilter/service';
import { administrator, startSpamfilter } from '@sevenfold/spamfilter/testing/service';
import { declareNo500 } from '../support/no-500';

let site: TestService<unknown>;

beforeAll(async () => {
  site = await startSpamfilter();
});
afterAll(() => site.stop());

declareNo500(spamfilterService.resources as readonly Resource<never>[], () => ({
  as: (actor) => site.as(actor),
  actor: administrator,
  existing: () => 'd',
  rounds: 60,
}));
