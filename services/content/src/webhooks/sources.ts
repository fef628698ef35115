/**
 * What is shown of an object, read when it is delivered and in somebody's name, through the doors that readers use: routes over
 * ReadService, and what has no route over the calls of the console. Whatever its reader may not see is absent here.
 */
import type { Actor } from '@sevenfold/chassis/actor';
import { ApiError, unavailable } from '@sevenfold/chassis/errors';
import type { Dial, Remote } from '@sevenfold/chassis/grpc/dial';
import { type ReadServiceServer, ReadServiceService } from '@sevenfold/proto/gen/sevenfold/chassis/v1/read';
import {
  type SubmissionServiceServer,
  SubmissionServiceService,
} from '@sevenfold/proto/gen/sevenfold/forms/v1/submission';
import {
  type Import,
  type ImportsServiceServer,
  ImportsServiceService,
} from '@sevenfold/proto/gen/sevenfold/imports/v1/imports';
import { shownImport } from '@sevenfold/proto/shown/import';
import { shownSubmission } from '@sevenfold/proto/shown/submission';
import type { Config } from '../config';

export interface Sources {
  /** Undefined: it is gone, or not for this reader. Throws where that cannot be told now. */
  read(kind: string, id: string, actor: Actor): Promise<unknown>;
  close(): void;
}

/** Receivers are told late rather than readers kept waiting: a read that takes longer is made again. */
export const READ_MS = 5_000;
/** Larger ones are left out: receivers take no bodies without bound, either. */
const MOST_CHARACTERS = 1024 * 1024;

type Reader = (id: string, actor: Actor) => Promise<unknown>;

export function openSources(dial: Dial, config: Config): Sources {
  const at = (service: string, address: string): { service: string; address: string } => ({
    service,
    address,
  });
  const content = dial<ReadServiceServer>(ReadServiceService, at('content', config.CONTENT_GRPC));
  const calendar = dial<ReadServiceServer>(ReadServiceService, at('calendar', config.CALENDAR_GRPC));
  const submissions = dial<SubmissionServiceServer>(SubmissionServiceService, at('forms', config.FORMS_GRPC));
  const imports = dial<ImportsServiceServer>(ImportsServiceService, at('imports', config.IMPORTS_GRPC));
  const options = (actor: Actor): { actor: Actor; deadlineMs: number } => ({ actor, deadlineMs: READ_MS });

  const route =
    (
      service: Remote<ReadServiceServer>,
      collection: string,
      pathOf = (id: string) => `/${collection}/${id}`,
    ): Reader =>
    async (id, actor) => {
      const { status, json } = await service.read({ path: pathOf(id) }, options(actor));
      if (status === 200) return json.length > MOST_CHARACTERS ? undefined : (JSON.parse(json) as unknown);
      if (MEANS_NOTHING.includes(status)) return undefined;
      throw unavailable(`What is to be told of ${collection}`);
    };
  const readers: Readonly<Record<string, Reader>> = {
    post: route(content, 'posts'),
    page: route(content, 'pages'),
    media: route(content, 'media'),
    comment: route(content, 'comments'),
    user: route(content, 'users'),
    category: route(content, 'categories'),
    post_tag: route(content, 'tags'),
    calendar_events_cat: route(content, 'calendar_events_cat'),
    settings: route(content, 'settings', () => '/settings'),
    event: route(calendar, 'events'),
    venue: route(calendar, 'venues'),
    organizer: route(calendar, 'organizers'),
    submission: orNothing(async (id, actor) =>
      shownSubmission(await submissions.getSubmission({ id: Number(id) }, options(actor))),
    ),
    import: orNothing(async (id, actor) => {
      const { import: row } = await imports.getImport({ importId: id }, options(actor));
      return shownImport(row as Import);
    }),
  };
  return {
    read: async (kind, id, actor) => readers[kind]?.(id, actor),
    close: () => [content, calendar, submissions, imports].forEach((remote) => remote.close()),
  };
}

/** Of an answer: gone, or not for this reader. */
const MEANS_NOTHING: readonly number[] = [400, 401, 403, 404, 410];

const orNothing =
  (reader: Reader): Reader =>
  async (id, actor) => {
    try {
      return await reader(id, actor);
    } catch (error) {
      if (error instanceof ApiError && MEANS_NOTHING.includes(error.status)) return undefined;
      throw error;
    }
  };
