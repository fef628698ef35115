/**
 * The local mailbox: where mail lands while no server is configured. A folder of .eml files that the command line lists and
 * shows, written whole or not at all. The same mail again replaces itself. The oldest make room for new ones.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { syncName } from '@sevenfold/chassis/files/names';
import { type Attachment, toMime } from './mime';
import type { Message } from './template';
import type { Transport } from './transport';

export interface MailboxLimits {
  readonly files: number;
  readonly bytes: number;
}

export interface MailboxEntry {
  readonly id: string;
  readonly bytes: number;
}

const ENDING = '.eml';
const ID = /^\d{8}T\d{6}Z-[\w.-]{1,200}$/;
// So rarely that looking costs nothing, so often that the limits mean something.
const LOOK_EVERY = 50;
/** Of a disk that is busy. */
const LONGEST_SECONDS = 30;

export function openMailbox(folder: string, limits: MailboxLimits): Transport {
  let written = 0;
  return {
    async send(message: Message, attachments: readonly Attachment[], recipients) {
      const id = idOf(message);
      await write(folder, id, await toMime(message, attachments));
      written += 1;
      if (written % LOOK_EVERY === 0) await prune(folder, limits);
      return { accepted: recipients, later: [], never: [], said: `kept as ${id}`, outage: false };
    },
    longestSeconds: LONGEST_SECONDS,
    close: () => undefined,
  };
}

/** Sorts by time. */
function idOf({ messageId, date }: Message): string {
  const time = date.toISOString().replace(/[-:]|\.\d+/g, '');
  const [left = ''] = messageId.replace(/^</, '').split('@', 1);
  return `${time}-${left.replace(/[^\w.-]/g, '_').slice(0, 200)}`;
}

async function write(folder: string, id: string, content: Buffer): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${id}${ENDING}`);
  const unfinished = path.join(folder, `.${randomUUID()}`);
  try {
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
    await syncName(file, made);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** The newest first. */
export async function list(folder: string): Promise<MailboxEntry[]> {
  const ids = (await namesIn(folder))
    .filter((name) => name.endsWith(ENDING))
    .map((name) => name.slice(0, -ENDING.length))
    .filter((id) => ID.test(id))
    .sort()
    .reverse();
  const entries: MailboxEntry[] = [];
  for (const id of ids) {
    const found = await ifThere(stat(path.join(folder, `${id}${ENDING}`)));
    if (found) entries.push({ id, bytes: found.size });
  }
  return entries;
}

export const read = async (folder: string, id: string): Promise<Buffer | undefined> =>
  ID.test(id) ? ifThere(readFile(path.join(folder, `${id}${ENDING}`))) : undefined;

export async function remove(folder: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) if (ID.test(id)) await rm(path.join(folder, `${id}${ENDING}`), { force: true });
}

/** The oldest beyond the limits go, and what a crash left half written. */
export async function prune(folder: string, limits: MailboxLimits): Promise<void> {
  let bytes = 0;
  const beyond = (await list(folder)).filter(
    (entry, index) => ((bytes += entry.bytes), index >= limits.files || bytes > limits.bytes),
  );
  await remove(
    folder,
    beyond.map(({ id }) => id),
  );
  const hour = Date.now() - 3_600_000;
  for (const name of await namesIn(folder)) {
    if (!name.startsWith('.')) continue;
    const found = await ifThere(stat(path.join(folder, name)));
    if (found && found.mtimeMs < hour) await rm(path.join(folder, name), { force: true });
  }
}

const namesIn = async (folder: string): Promise<string[]> => (await ifThere(readdir(folder))) ?? [];

async function ifThere<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
