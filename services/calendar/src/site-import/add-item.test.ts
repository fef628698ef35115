/** Things of another site that are brought again: with what changed there, and once more where the answer was lost. */
import { AddItemRequest } from '@sevenfold/proto/gen/sevenfold/calendar/v1/site_import';
import { type CalendarSite, startCalendar } from '../testing/service';
import { addItem } from './add-item';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());

/** As it was said at the hour, after it was left here with what was said at the other one. */
const said = (hour: number, title: string, left?: number): AddItemRequest =>
  AddItemRequest.fromPartial({
    site: 'https://old.example',
    foreignId: '7',
    kind: 'event',
    status: 'publish',
    title,
    dateLocal: '2024-05-01 08:00:00',
    dateUtc: '2024-05-01 12:00:00',
    modifiedLocal: `2024-05-02 0${hour}:00:00`,
    modifiedUtc: `2024-05-02 1${hour}:00:00`,
    leftUtc: left === undefined ? '' : `2024-05-02T1${left}:00:00.000Z`,
    meta: [
      { key: '_EventStartDate', value: '2031-01-01 10:00:00' },
      { key: '_EventEndDate', value: '2031-01-01 12:00:00' },
    ],
  });
const titleOf = async (id: number): Promise<string> =>
  (await site.by('anonymous').get(`/events/${id}`)).body.title;

test('what changed there is brought, also when it is asked once more; what changed here since is not', async () => {
  const { id, created } = await addItem(site.deps, said(1, 'First'));
  expect([created, await titleOf(id)]).toEqual([true, 'First']);
  const brought = { id, created: false, changedHere: false };
  for (const _ of ['once', 'and again']) {
    expect(await addItem(site.deps, said(2, 'Second', 1))).toEqual(brought);
    expect(await titleOf(id)).toBe('Second');
  }
  await site.by('editor').post(`/events/${id}`, { title: 'Ours' });
  for (const theirs of [said(2, 'Second', 1), said(3, 'Third', 2)]) {
    expect(await addItem(site.deps, theirs)).toEqual({ ...brought, changedHere: true });
    expect(await titleOf(id)).toBe('Ours');
  }
});

test('what changed there before anybody noted that it came is brought, unless it changed here', async () => {
  const foreignId = 'unnoted';
  const asked = (hour: number, title: string) => addItem(site.deps, { ...said(hour, title), foreignId });
  const { id } = await asked(1, 'First');
  for (const [hour, title] of [
    [2, 'Second'],
    [2, 'Second'],
    [3, 'Third'],
  ] as const) {
    expect(await asked(hour, title)).toEqual({ id, created: false, changedHere: false });
    expect(await titleOf(id)).toBe(title);
  }
  await site.by('editor').post(`/events/${id}`, { title: 'Ours' });
  expect(await asked(4, 'Fourth')).toEqual({ id, created: false, changedHere: true });
  expect(await titleOf(id)).toBe('Ours');
});

test('one of an update, too', async () => {
  const foreignId = 'updated';
  const asked = (hour: number, title: string, left?: number) =>
    addItem(site.deps, { ...said(hour, title, left), foreignId });
  const { id } = await asked(1, 'First');
  // Nobody notes the answer to this one.
  await asked(2, 'Second', 1);
  expect(await asked(3, 'Third', 1)).toEqual({ id, created: false, changedHere: false });
  expect(await titleOf(id)).toBe('Third');
});

test('of what came before that was noted, whoever asks tells how it was left', async () => {
  const foreignId = 'older';
  const asked = (hour: number, title: string, left?: number) =>
    addItem(site.deps, { ...said(hour, title, left), foreignId });
  const { id } = await asked(1, 'First');
  await site.deps.db.run('update moved_objects set left_utc = null where id = $1', [id]);
  await asked(2, 'Second');
  expect(await titleOf(id)).toBe('First');
  await asked(2, 'Second', 1);
  expect(await titleOf(id)).toBe('Second');
});
