/**
 * A headless Chromium for tests, from packages alone: the packed browser and the libraries that a bare machine lacks come
 * with `@sparticuz/chromium`, are unpacked once into the cache folder of the packages, and run with a profile of their own.
 * Nothing is waited for without an end, and a browser ends with the process that started it, however that ends.
 */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import axe, { type AxeResults } from 'axe-core';
import puppeteer, { type Browser, type Frame, type Page } from 'puppeteer-core';
import { newFolder } from '@sevenfold/local/testing';

export interface PageOptions {
  /** False for a page on which no script runs. */
  readonly scripts?: boolean;
  readonly dark?: boolean;
}

export interface TestBrowser {
  /** A page of a visitor who was never here before. */
  open(options?: PageOptions): Promise<Page>;
  stop(): Promise<void>;
}

/** For machines for which no browser is packed (other systems, other processors): the path of a Chromium or Chrome. */
const GIVEN = process.env.TEST_CHROMIUM;

// Generous: a machine with two busy processes per core starts a browser in half a minute.
const UNPACK_MS = 180_000;
const START_MS = 80_000;
const CALL_MS = 60_000;
const CLOSE_MS = 10_000;

/** Not the package's own arguments, which switch off what keeps origins apart. */
const ARGUMENTS = [
  // Not for root, not without user namespaces; tests show it their own pages only.
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--lang=en',
];
const NOBODY_ELSE = 'MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';

/** `hosts` are names that pages may be read under, with their addresses; of the rest of the world the browser knows nothing. */
export async function startBrowser(hosts: Readonly<Record<string, string>> = {}): Promise<TestBrowser> {
  const profile = newFolder(tmpdir(), 'sevenfold-browser-');
  const clean = (): void => rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  try {
    const browser = await launch(profile, hosts);
    return {
      open: (options) => openPage(browser, options),
      stop: async () => {
        await close(browser);
        clean();
      },
    };
  } catch (error) {
    clean();
    throw new Error(
      `No browser could be started. It comes with npm ci for Linux on x64; elsewhere, set TEST_CHROMIUM to the path of a Chromium or Chrome. ${(error as Error).message}`,
      { cause: error },
    );
  }
}

/** What axe-core finds wrong with a page or a frame as it stands: a line for each place, none where all is well. */
export async function violations(place: Page | Frame): Promise<string[]> {
  const page = 'page' in place ? place.page() : place;
  const scripts = page.isJavaScriptEnabled();
  // Where scripts are off, its promises would never settle; what the page itself would have run was passed over by now.
  if (!scripts) await page.setJavaScriptEnabled(true);
  // Evaluated, not added as an element: the policy of a page does not stop it.
  await place.evaluate(axe.source);
  const found = (await place.evaluate(`axe.run({ resultTypes: ['violations'] })`)) as AxeResults;
  if (!scripts) await page.setJavaScriptEnabled(false);
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
  );
}

async function launch(profile: string, hosts: Readonly<Record<string, string>>): Promise<Browser> {
  const names = Object.entries(hosts).map(([name, address]) => `MAP ${name} ${address}`);
  const folder = GIVEN === undefined ? await unpacked() : undefined;
  return puppeteer.launch({
    executablePath: GIVEN ?? path.join(folder as string, 'chromium'),
    headless: 'shell',
    args: [...ARGUMENTS, `--host-resolver-rules=${[...names, NOBODY_ELSE].join(', ')}`],
    // The browser ends when the pipe does.
    pipe: true,
    userDataDir: profile,
    timeout: START_MS,
    protocolTimeout: CALL_MS,
    env: { ...process.env, HOME: profile, ...(folder && surroundings(folder, profile)) },
  });
}

/** The libraries and the fonts that come with it, whatever the machine has: where there is no font at all, it falls over. */
function surroundings(folder: string, profile: string): Record<string, string> {
  const fonts = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${path.join(folder, 'fonts/fonts')}</dir><cachedir>${path.join(profile, 'fonts')}</cachedir></fontconfig>`;
  writeFileSync(path.join(profile, 'fonts.conf'), fonts);
  return { LD_LIBRARY_PATH: path.join(folder, 'al2023/lib'), FONTCONFIG_PATH: profile };
}

async function openPage(browser: Browser, { scripts = true, dark = false }: PageOptions = {}): Promise<Page> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(CALL_MS);
  await page.setJavaScriptEnabled(scripts);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  return page;
}

/** Asks it to end, and makes it where it does not. */
async function close(browser: Browser): Promise<void> {
  const child = browser.process();
  const ended = new Promise((resolve) => child?.once('exit', resolve));
  const late = setTimeout(() => child?.kill('SIGKILL'), CLOSE_MS);
  await browser.close().catch(() => child?.kill('SIGKILL'));
  if (child && child.exitCode === null && child.signalCode === null) await ended;
  clearTimeout(late);
}

const PACKAGE = path.resolve(require.resolve('@sparticuz/chromium'), '../../..');
const UNPACK = `require('@sparticuz/chromium').executablePath().catch((error) => { console.error(error); process.exit(1); })`;

/**
 * Unpacked once for all runs, into a folder that is there whole or not at all. The package unpacks to the temporary folder
 * of its process, and its libraries only where it believes itself on Amazon's.
 */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(readFileSync(path.join(PACKAGE, 'package.json'), 'utf8')) as {
    version: string;
  };
  const cache = path.resolve(PACKAGE, '../../.cache');
  const folder = path.join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const fresh = newFolder(cache, 'chromium-');
  try {
    await promisify(execFile)(process.execPath, ['-e', UNPACK], {
      cwd: __dirname,
      env: { ...process.env, TMPDIR: fresh, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
      timeout: UNPACK_MS,
    });
    // For whoever runs the tests, also where root installed the packages.
    chmodSync(path.join(fresh, 'chromium'), 0o755);
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Somebody else was quicker.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
