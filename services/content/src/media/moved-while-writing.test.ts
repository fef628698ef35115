/** Files whose address is written while what they are attached to gets another one. */
import type { Answer } from '@sevenfold/chassis/testing/service';
import { type ContentSite, startContent } from '../testing/service';
import { whileHeld } from '../testing/while-held';
import { fileHeaders, picture } from './testing/pictures';

let site: ContentSite;
let number = 0;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());

const write = (path: string, body: object) => () => site.by('administrator').post(path, body);
const made = async (answer: Promise<Answer>): Promise<number> => {
  const { status, body } = await answer;
  expect(status).toBe(201);
  return body.id as number;
};
const post = (kind: string, fields: object): Promise<number> =>
  made(write(`/${kind}`, { title: 'A place', status: 'publish', ...fields })());
async function upload(parent: number): Promise<number> {
  const headers = fileHeaders(`moved-${number++}.png`);
  return made(site.by('administrator').post(`/media?post=${parent}`, await picture(20, 20), headers));
}
/** One after the other, none of them before all have begun: what is written last is what they tell the others. */
async function together(starts: readonly (() => Promise<Answer>)[]): Promise<void> {
  const answers = await whileHeld(site, (tx) => tx.run('lock table outbox in share mode'), starts);
  expect(answers.map(({ status }) => status)).toEqual(starts.map(() => 200));
}
const pathOf = async (id: number): Promise<string> =>
  new URL((await site.by('administrator').get(`/media/${id}`)).body.link as string).pathname;

test('a file that is attached while a page above gets another slug is below that', async () => {
  const [above, file] = [await post('pages', { slug: 'before' }), await upload(0)];
  const page = await post('pages', { slug: 'page', parent: above });
  await together([
    write(`/media/${file}`, { post: page, slug: 'attached' }),
    write(`/pages/${above}`, { slug: 'after' }),
  ]);
  expect(await pathOf(file)).toBe('/after/page/attached/');
});

test.each([
  ['before', (file: object, parent: object) => [file, parent]],
  ['after', (file: object, parent: object) => [parent, file]],
])('a file whose slug is written %s that of its page has both', async (when, order) => {
  const page = await post('pages', { slug: `page-${when}` });
  const file = await upload(page);
  const starts = order(
    write(`/media/${file}`, { slug: `file-${when}` }),
    write(`/pages/${page}`, { slug: `moved-${when}` }),
  );
  await together(starts as (() => Promise<Answer>)[]);
  expect(await pathOf(file)).toBe(`/moved-${when}/file-${when}/`);
});
