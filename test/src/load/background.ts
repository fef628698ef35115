/**
 * What goes on after a site was filled, such as indexing for search engines, takes processor time that no row asked for: who
 * measures waits until it is done. That takes as long as it takes, so the wait has a bound, and both are said.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { quiet } from '../support/quiet';
import type { TestStack } from '../support/stack';

const LONGEST_MS = 30 * 60_000;
const MOST_OUTPUT = 64 * 1024 * 1024;
const run = promisify(execFile);
const cli = path.resolve(__dirname, '../../../deploy/local/dist/cli/main.js');

/** Not synchronously: connections that the gateway ends meanwhile would not be noticed. */
export async function onCommandLine(stack: TestStack, ...args: string[]): Promise<void> {
  await run(process.execPath, ['--enable-source-maps', cli, ...args], {
    env: { ...process.env, DATA_DIR: stack.dataDir },
    maxBuffer: MOST_OUTPUT,
  });
}

/** Nobody is told of what a seed writes: the index would find it by itself, while something else is measured. */
export async function followed(stack: TestStack): Promise<void> {
  say('indexing what is there');
  await onCommandLine(stack, 'seo', 'reindex');
  await untilQuiet(stack);
}

export async function untilQuiet(stack: TestStack): Promise<void> {
  const began = performance.now();
  const open = await quiet(stack, LONGEST_MS);
  const waited = `waited ${Math.round((performance.now() - began) / 1000)} s for work in the background`;
  say(open === '' ? waited : `${waited}; beside what is measured still at work: ${open}`);
}

const say = (text: string): void => console.error(`[${text}]`);
