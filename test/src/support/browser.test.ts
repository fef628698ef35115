/** The browser itself: it starts, keeps to what it is told, and does not outlive its tests. */
import { type TestBrowser, startBrowser, violations } from './browser';

let browser: TestBrowser | undefined;
const open = (...given: Parameters<TestBrowser['open']>): ReturnType<TestBrowser['open']> =>
  (browser as TestBrowser).open(...given);

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.stop());

const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'">`;
const PAGE = `<html lang="en"><title>before</title>
<main><h1>A page, 頁, 🙂</h1><input><p style="background: light-dark(white, black)">Words</p></main>
<script>document.title = 'after'</script>`;

const rules = async (...page: Parameters<typeof violations>): Promise<string[]> =>
  (await violations(...page)).map((line) => line.replace(/:.*/s, ''));

test('a page runs scripts, or none where they are off, and axe-core looks at both, under any policy', async () => {
  const told = [];
  for (const [scripts, policy] of [
    [true, ''],
    [true, POLICY],
    [false, ''],
  ] as const) {
    const page = await open({ scripts });
    await page.setContent(policy + PAGE);
    told.push([await rules(page), await page.title(), page.isJavaScriptEnabled()]);
    await page.close();
  }
  expect(told).toEqual([
    [['label'], 'after', true],
    [['label'], 'before', true],
    [['label'], 'before', false],
  ]);
});

test('dark is dark', async () => {
  const dark = await open({ dark: true });
  await dark.setContent(
    `<html lang="en"><title>Dark</title><meta name="color-scheme" content="light dark">${PAGE}`,
  );
  expect(await rules(dark)).toEqual(['label']);
  await dark.setContent(
    `<html lang="en"><title>Dark</title><style>@media (prefers-color-scheme: dark) { p { color: #333; background: #000 } }</style>${PAGE}`,
  );
  expect(await rules(dark)).toEqual(expect.arrayContaining(['color-contrast']));
});
