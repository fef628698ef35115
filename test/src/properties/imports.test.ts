/** No input gives a 500: every argument of the import callbacks, tried with everything, by somebody who may register imports. */
import { importsService } from '@sevenfold/imports/service';
import { type ImportsSite, manager, startImports } from '@sevenfold/imports/testing/service';
import type { Resource } from '@sevenfold/chassis/http/route';
import { declareNo500 } from '../support/no-500';

let site: ImportsSite;

beforeAll(async () => {
  site = await startImports();
});
afterAll(() => site.stop());

declareNo500(importsService.resources as readonly Resource<never>[], () => ({
  as: (actor) => site.as(actor),
  actor: manager,
  existing: () => 'an_import',
  rounds: 150,
}));
