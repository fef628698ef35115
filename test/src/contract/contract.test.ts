/**
 * The interface as its contract has it: the whole site runs, and the contract's own checker compares the live indexes
 * with its list of routes. The contract lies beside the repository; where it is missing, only that comparison is left
 * out.
 */
import { execFile } from 'node:child_process';
import { sharedFile } from '@sevenfold/chassis/testing/shared';
import { type Site, startSite } from '../support/site';

const checker = sharedFile('contract/check-contract.mjs');

let site: Site;

beforeAll(async () => {
  site = await startSite();
});

afterAll(() => site.stop());

(checker ? test : test.skip)(
  'the live indexes have no difference from the contract (../shared)',
  async () => {
    const output = await new Promise<string>((resolve) => {
      execFile(process.execPath, [checker as string, site.url], (_error, stdout, stderr) =>
        resolve(stdout + stderr),
      );
    });
    expect(output.trim().split('\n').slice(-40)).toEqual(['0 differences']);
  },
);

test('every namespace is listed, described and served', async () => {
  const root = await site.client.get('/rest/');
  expect(root.body.namespaces).toHaveLength(7);
  for (const namespace of root.body.namespaces as string[]) {
    const { status, body } = await site.client.get(`/rest/${namespace}`);
    expect([namespace, status, body.namespace]).toEqual([namespace, 200, namespace]);
    expect(Object.keys(body.routes).length).toBeGreaterThan(1);
    expect((await site.client.get(`/openapi/${namespace}.json`)).body.openapi).toBe('3.1.0');
  }
});
