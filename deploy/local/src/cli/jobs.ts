/** Commands about background jobs that were given up after their last try, of any service. */
import { type Command, InvalidArgumentError } from 'commander';
import { type ServiceName, databaseServices } from '@sevenfold/catalog/catalog';
import {
  type Chosen,
  type FailedJob,
  type Left,
  MOST_LISTED,
  discardFailed,
  listFailed,
  retryFailed,
} from '@sevenfold/chassis/queue/failed-jobs';
import { shorten } from '@sevenfold/text/text';
import { type ListOptions, listing, printList, printNote, wholeNumber } from './output';
import { findSite, jobsOf, withDatabase } from './sites';

export function addJobCommands(jobs: Command): void {
  listing(
    jobs
      .command('list [place]')
      .description(
        'list them, those that failed last first: of all services, of one, or of a queue such as content.media',
      ),
  )
    .option('--most <n>', `how many, ${MOST_LISTED} at most`, wholeNumber, 100)
    .action(list);
  choosing(
    jobs
      .command('retry <place> [id...]')
      .description('give some of a service or of a queue, or with --all all of them, their tries again'),
  ).action((place: string, ids: string[], { all }: AllOption) => retry(chosenOf(place, ids, all)));
  choosing(
    jobs
      .command('discard <place> [id...]')
      .description(
        'call some of a service or of a queue, or with --all all of them, done without doing them',
      ),
  ).action((place: string, ids: string[], { all }: AllOption) => discard(chosenOf(place, ids, all)));
}

interface AllOption {
  readonly all?: boolean;
}

const choosing = (command: Command): Command => command.option('--all', 'all of them');

interface Place {
  readonly service: ServiceName;
  readonly queue?: string;
}

/** The name of a queue begins with that of its service. */
function placeOf(text: string): Place {
  const service = databaseServices.find((name) => name === text.split('.', 1)[0]);
  if (!service)
    throw new Error(
      `${text} is neither a service nor a queue of one. Services with queues: ${databaseServices.join(', ')}.`,
    );
  return { service, queue: text === service ? undefined : text };
}

function chosenOf(text: string, ids: readonly string[], all = false): Place & Chosen {
  if (ids.length > 0 === all) throw new Error('Name jobs by their numbers, or say --all.');
  return { ...placeOf(text), ids: all ? undefined : [...new Set(ids.map(jobNumber))] };
}

/** A site that lives for long has more jobs than whole numbers of other options have digits. */
function jobNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('A job is named by its number.');
  return Number(text);
}

async function list(
  place: string | undefined,
  { most, ...options }: ListOptions & { most: number },
): Promise<void> {
  const rows: (FailedJob & { service: ServiceName })[] = [];
  let all = 0;
  for (const { service, queue } of placesOf(place)) {
    const { jobs, total } = await withDatabase(service, (db) => listFailed(db, { queue }, most));
    rows.push(...jobs.map((one) => ({ service, ...one })));
    all += total;
  }
  rows.sort((a, b) => b.failed_at.localeCompare(a.failed_at) || b.id - a.id);
  const listed = rows.slice(0, most);
  printList(listed, options, ({ last_error: error, ...one }) => ({
    ...one,
    last_error: shorten(error, 100),
  }));
  if (all > listed.length) printNote(`${all - listed.length} more`);
}

function placesOf(text: string | undefined): readonly Place[] {
  if (text !== undefined) return [placeOf(text)];
  const { services } = findSite();
  // Where none is known, the first one says what is missing.
  return (services.length > 0 ? services : databaseServices).map((service) => ({ service }));
}

async function retry({ service, ...chosen }: Place & Chosen): Promise<void> {
  const jobs = await jobsOf(service);
  const { retried, left } = await withDatabase(service, (db) => retryFailed(db, jobs, chosen));
  console.log(`retried: ${retried}`);
  for (const { count, queue, name, reason } of left) told(`left: ${count} of ${queue}, ${name}. ${reason}`);
  tellMissing(chosen, retried + sum(left));
}

const sum = (left: readonly Left[]): number => left.reduce((total, { count }) => total + count, 0);

async function discard({ service, ...chosen }: Place & Chosen): Promise<void> {
  const discarded = await withDatabase(service, (db) => discardFailed(db, chosen));
  console.log(`discarded: ${discarded}`);
  tellMissing(chosen, discarded);
}

function tellMissing({ ids = [] }: Chosen, met: number): void {
  if (ids.length > met) told(`${ids.length - met} of these numbers are no jobs that failed there`);
}

/** Something that was asked for was not done. */
function told(note: string): void {
  printNote(note);
  process.exitCode = 1;
}
