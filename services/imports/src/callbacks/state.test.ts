/** POST /import/{import_id}/state: how a report ends an import, and what it leaves alone. */
import { registerImport } from '../commands';
import { type ImportsSite, report, startImports } from '../testing/service';

let site: ImportsSite;
beforeAll(async () => {
  site = await startImports({ ROLE: 'api' });
});
afterAll(() => site.stop());

const register = () => registerImport({ db: site.deps.db }, {});
const state = (batch_hash: string, status: string, more: object = {}) => ({
  batch_hash,
  status,
  message: 'As it stands.',
  message_slug: 'own:slug',
  percentage_complete: 40,
  ...more,
});

test('pending notes the words and keeps the hash', async () => {
  const { importId, batchHash } = await register();
  const answer = await site.as().post(`/import/${importId}/state`, state(batchHash, 'pending'));
  expect([answer.status, answer.body]).toEqual([200, { status: 'success' }]);
  expect(await site.row(importId)).toMatchObject({
    state: 'pending',
    expected_hash: batchHash,
    message: 'As it stands.',
    message_slug: 'own:slug',
    percentage: 40,
    finished_at: null,
  });
  expect((await site.as().post(`/import/${importId}/batch`, report(batchHash, 0, 2))).status).toBe(200);
});

test.each(['success', 'failed'])('%s ends the import and drops the hash', async (status) => {
  const { importId, batchHash } = await register();
  const answer = await site.as().post(`/import/${importId}/state`, state(batchHash, status));
  expect([answer.status, answer.body]).toEqual([200, { status: 'success' }]);
  expect(await site.row(importId)).toMatchObject({
    state: status,
    expected_hash: null,
    message_slug: 'own:slug',
  });
  expect((await site.row(importId)).finished_at).not.toBeNull();
  for (const late of [
    await site.as().post(`/import/${importId}/state`, state(batchHash, status)),
    await site.as().post(`/import/${importId}/batch`, report(batchHash, 0, 2)),
  ]) {
    expect([late.status, late.body.code]).toEqual([400, 'rest_invalid_param']);
    expect(Object.keys(late.body.data.params)).toEqual(['import_id', 'batch_hash']);
  }
});

test('success while batches wait for the calendar: it is still pending', async () => {
  const { importId, batchHash } = await register();
  const { body } = await site.as().post(`/import/${importId}/batch`, report(batchHash, 0, 9));
  await site.as().post(`/import/${importId}/state`, state(body.next_batch_hash, 'success'));
  expect(await site.row(importId)).toMatchObject({
    state: 'pending',
    expected_hash: null,
    last_number: 1,
    finished_at: null,
  });
});

test.each([
  ['no hash', { batch_hash: undefined }, 'rest_missing_callback_param', ['batch_hash']],
  ['no message', { message: undefined }, 'rest_missing_callback_param', ['message']],
  [
    'no words at all',
    { message: null, message_slug: null },
    'rest_missing_callback_param',
    ['message', 'message_slug'],
  ],
  ['a wrong hash', { batch_hash: 'f'.repeat(32) }, 'rest_invalid_param', ['batch_hash']],
  ['an unknown state', { status: 'done' }, 'rest_invalid_param', ['status']],
  ['a state that is an object', { status: {} }, 'rest_invalid_param', ['status']],
  ['a message that is a list', { message: ['x'] }, 'rest_invalid_param', ['message']],
  ['percentage 101', { percentage_complete: 101 }, 'rest_invalid_param', ['percentage_complete']],
])('%s changes nothing', async (_what, more, code, params) => {
  const { importId, batchHash } = await register();
  const before = await site.row(importId);
  const answer = await site.as().post(`/import/${importId}/state`, state(batchHash, 'success', more));
  expect([answer.status, answer.body.code]).toEqual([400, code]);
  const named = answer.body.data.params;
  expect(Array.isArray(named) ? named : Object.keys(named)).toEqual(params);
  expect(await site.row(importId)).toEqual(before);
});

test('an unknown import', async () => {
  const answer = await site.as().post('/import/unknown/state', state('x', 'success'));
  expect([answer.status, Object.keys(answer.body.data.params)]).toEqual([400, ['import_id', 'batch_hash']]);
});
