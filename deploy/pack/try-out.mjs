/** Installs what was packed as its README says, starts it, asks it something, and stops it. Throws where anything of it fails. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { clearTimeout, setTimeout } from 'node:timers';

const INSTALL_MS = 10 * 60_000;
const START_MS = 5 * 60_000;
const STOP_MS = 60_000;

export async function tryOut(folder) {
  const cwd = path.join(folder, 'sevenfold');
  const env = { ...process.env, PORT: '0', DATA_DIR: path.join(folder, 'data') };
  const npm = (...args) => spawn('npm', args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const installing = npm('ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund');
  installing.stdout.resume();
  const [installed] = await within(INSTALL_MS, once(installing, 'exit'), 'npm ci');
  if (installed !== 0) throw new Error(`npm ci --omit=dev ended with ${installed}.`);

  const site = npm('start');
  const over = once(site, 'exit');
  try {
    const url = await within(
      START_MS,
      Promise.race([addressOf(site), over.then(() => undefined)]),
      'The start',
    );
    if (!url) throw new Error('npm start ended before the site was ready.');
    for (const [place, words] of [
      ['/rest/', '"core/v2"'],
      ['/rest/core/v2/posts', 'A first post'],
      ['/', 'For programs'],
    ]) {
      const answer = await fetch(`${url}${place}`);
      const body = await answer.text();
      if (!answer.ok || !body.includes(words))
        throw new Error(`${place} was answered with ${answer.status}: ${body.slice(0, 300)}`);
    }
  } finally {
    site.kill('SIGTERM');
    await within(STOP_MS, over, 'The stop').catch(() => site.kill('SIGKILL'));
  }
  console.log('what was packed installs without what is for developing, starts and answers');
}

async function within(ms, promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} takes longer than ${ms / 1000} s.`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

async function addressOf(site) {
  for await (const line of createInterface({ input: site.stdout })) {
    console.log(line);
    const url = /^ready (\S+)$/.exec(line)?.[1];
    if (url) {
      site.stdout.resume();
      return url;
    }
  }
  return undefined;
}
