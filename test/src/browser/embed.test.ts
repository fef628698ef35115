/**
 * An item of the site in a page of somebody else, in a real browser: with a title that would like to run, and in pages that
 * would like to know or to do more than they may.
 */
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, Page } from 'puppeteer-core';
import { until } from '@sevenfold/chassis/testing/until';
import { makePost } from '@sevenfold/content/testing/factories';
import { type EmbedServiceServer, EmbedServiceService } from '@sevenfold/proto/gen/sevenfold/oembed/v1/embed';
import { type TestBrowser, startBrowser, violations } from '../support/browser';
import { type Site, startSite } from '../support/site';

let site: Site;
let elsewhere: Server;
let browser: TestBrowser | undefined;
let embed: { html: string };
let own: string;
let body = '';

const HOSTILE = `</title></a><script>top.ran=1;window.ran=1</script><img src=x onerror="window.ran=1">"' onload='window.ran=1`;
const LINK = 'http://site.test/2024/01/02/hostile/';

beforeAll(async () => {
  site = await startSite();
  await makePost(site.content.deps.db, {
    slug: 'hostile',
    path: '2024/01/02/hostile',
    title_html: HOSTILE,
    excerpt_html: `<p>${'Some words that fill the page. '.repeat(6)}</p>`,
  });
  embed = (await site.client.get(`/rest/oembed/1.0/embed?url=${LINK}`)).body as typeof embed;
  const embeds = site.service('oembed').dial<EmbedServiceServer>(EmbedServiceService, 'content');
  own = (await embeds.resolveEmbed({ url: LINK, maxWidth: 600, maxHeight: 0 }, { deadlineMs: 30_000 })).html;
  embeds.close();
  elsewhere = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(
      `<!DOCTYPE html><html lang="en"><title>Elsewhere</title><main><h1>Host</h1>${body}</main></html>`,
    );
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  browser = await startBrowser({
    'site.test': new URL(site.url).host,
    'elsewhere.test': `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`,
  });
});
afterAll(async () => {
  await browser?.stop();
  elsewhere?.close();
  await site?.stop();
});

async function visit(address: string, dark = false): Promise<Page> {
  const page = await (browser as TestBrowser).open({ dark });
  await page.goto(address);
  return page;
}

const ran = (place: Page | Frame): Promise<boolean> => place.evaluate('"ran" in window') as Promise<boolean>;

test.each([false, true])('the page for frames is accessible, dark: %p', async (dark) => {
  const page = await visit(`${LINK}embed/`, dark);
  expect(await violations(page)).toEqual([]);
  expect(await ran(page)).toBe(false);
  await page.close();
});

test('in a page of somebody else the frame gets the height that it asks for, and nothing of the title runs', async () => {
  body = embed.html + embed.html.replace(/[A-Za-z0-9]{10}(?=")/g, 'another000');
  const page = await visit('http://elsewhere.test/');
  const height = () => page.evaluate(`document.querySelector('iframe').height`) as Promise<string>;
  const before = /height="(\d+)"/.exec(embed.html)?.[1];
  await until(async () => (await height()) !== before);
  const frame = await until(() => page.frames().find((one) => one.url().startsWith(LINK)));
  const inside = (): Promise<number> =>
    frame.evaluate(
      `Math.ceil(document.getElementById('embed').getBoundingClientRect().height)`,
    ) as Promise<number>;
  // It asks again where its own height changes while it is drawn.
  await until(async () => Number(await height()) === Math.max(200, await inside()));
  expect(await page.evaluate(`document.querySelector('blockquote').style.display`)).toBe('none');
  expect([await ran(page), await ran(frame)]).toEqual([false, false]);
  expect(await frame.evaluate('window.origin')).toBe('null');
  await page.close();
});

test('a page of the site itself shows it as well', async () => {
  await makePost(site.content.deps.db, {
    slug: 'around',
    path: '2024/01/02/around',
    title_html: 'Around',
    content_html: own,
  });
  const page = await visit('http://site.test/2024/01/02/around/');
  const frame = await until(() => page.frames().find((one) => one.url().startsWith(LINK)));
  expect(await frame.$eval('#embed', ({ children }) => children.length)).toBeGreaterThan(0);
  expect([await ran(page), await ran(frame)]).toEqual([false, false]);
  // Nobody listens there: what leads out of the frame does so by itself.
  await (await frame.$('h1 a'))?.click();
  await page.waitForFunction(`location.href === '${LINK}'`);
  await page.close();
});

test('the page around believes nobody but the frame, and the frame no height without end', async () => {
  const secret = /data-secret="(\w+)"/.exec(embed.html)?.[1] as string;
  const lie = `parent.postMessage({message:'height',value:999,secret:'${secret}'},'*');parent.postMessage({message:'link',value:'http://site.test/x',secret:'${secret}'},'*')`;
  // The frame itself is kept empty, so that only others speak.
  body = `${embed.html.replace(/src="[^"]*"/, 'src="about:blank"')}<iframe title="liar" srcdoc="<script>${lie}</script>"></iframe>`;
  const page = await visit('http://elsewhere.test/');
  await page.evaluate(`window.postMessage({message:'height',value:999,secret:'${secret}'},'*')`);
  // Messages come in order: when this one is here, the others were.
  await page.evaluate(
    `new Promise((resolve)=>{addEventListener('message',(e)=>e.data==='last'&&resolve());window.postMessage('last','*')})`,
  );
  expect(await page.evaluate(`document.querySelector('iframe').height`)).toBe('338');
  expect(page.url()).toBe('http://elsewhere.test/');
  await page.evaluate(
    `new Promise((resolve)=>{addEventListener('message',()=>setTimeout(resolve));const f=document.querySelector('iframe');f.sandbox.add('allow-same-origin');f.srcdoc="<script>parent.postMessage({message:'height',value:1e9,secret:'${secret}'},'*')</"+"script>"})`,
  );
  expect(await page.evaluate(`document.querySelector('iframe').height`)).toBe('1000');
  await page.close();
});
