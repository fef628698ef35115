/** A tiny service for the chassis' own tests: one resource of notes, with everything a route may have. */
import path from 'node:path';
import { can } from '../actor';
import { enqueue } from '../db/outbox';
import type { Database } from '../db/sql';
import { makersFor } from '../errors';
import { WRITE, anyone, reply, route } from '../http/route';
import { contextArg, forceOnlyArg, idArg, pageArgs } from '../http/common-args';
import { type ItemSchema, embeddable } from '../http/present';
import { itemOf } from '../http/shapes';
import { job } from '../queue/jobs';
import type { ServiceConfig, ServiceDefinition } from '../service-definition';

const codes = { note_not_found: 'There is no such note.', rest_cannot_edit: 'The caller may not edit.' };
const { apiError, deny } = makersFor(codes);

export interface SampleDeps {
  readonly db: Database;
  /** Notes whose job fails on purpose, with how often. */
  readonly failing: Map<number, number>;
}

interface Note {
  id: number;
  text: string;
  secret: string;
  friend: number;
  applied: number;
}

const schema: ItemSchema = {
  title: 'note',
  linked: 'followed',
  embeds: { friend: itemOf({ title: 'note' }) },
  properties: {
    id: { type: 'integer', description: 'Identifier.', context: ['view', 'edit', 'embed'], readonly: true },
    text: {
      type: 'object',
      description: 'Text.',
      properties: {
        rendered: { type: 'string', description: 'As HTML.', context: ['view', 'edit', 'embed'] },
        raw: { type: 'string', description: 'As written.', context: ['edit'] },
      },
    },
    secret: { type: 'string', description: 'For editors.', context: ['edit'] },
  },
};

const present = (row: Note, call: { root: string }): object => ({
  id: row.id,
  text: { rendered: `<p>${row.text}</p>`, raw: row.text },
  secret: row.secret,
  _links: {
    self: [{ href: `${call.root}/sample/v1/notes/${row.id}` }],
    ...(row.friend > 0
      ? { friend: [embeddable(`${call.root}/sample/v1/notes/${row.friend}`, 'note', row.friend)] }
      : {}),
  },
});

const findNote = async (db: Database, id: number): Promise<Note> => {
  const row = await db.first<Note>('select * from notes where id = $1', [id]);
  if (!row) throw apiError('note_not_found', 404, 'There is no such note.');
  return row;
};

const id = idArg('note');
const context = contextArg;
const refuseEdit = ({ actor }: { actor: Parameters<typeof can>[0] }): ReturnType<typeof deny> | undefined =>
  can(actor, 'edit_notes') ? undefined : deny('rest_cannot_edit', 'You may not edit notes.');

export const sampleService: ServiceDefinition<SampleDeps, ServiceConfig> = {
  name: 'sample',
  namespace: 'sample/v1',
  title: 'Sample',
  description: 'Notes for tests.',
  migrations: path.resolve(__dirname, 'sample-migrations'),
  open: ({ db }) => ({ db, failing: new Map() }),
  embeds: {
    note: {
      load: async (call, keys) => {
        const rows = await call.deps.db.rows<Note>('select * from notes where id = any($1)', [keys]);
        return new Map(rows.map((row) => [row.id, present(row, call)]));
      },
      shows: (key) => [`note:${key}`],
    },
  },
  codes,
  resources: [
    {
      name: 'notes',
      description: 'Notes for tests.',
      routes: [
        route({
          methods: ['GET'],
          path: '/notes',
          summary: 'Lists notes.',
          args: {
            context,
            ...pageArgs('notes'),
          },
          schema,
          permission: anyone,
          handle: async ({ deps, args }: { deps: SampleDeps; args: { page: number; per_page: number } }) => {
            const rows = await deps.db.rows<Note>('select * from notes order by id limit $1 offset $2', [
              args.per_page,
              (args.page - 1) * args.per_page,
            ]);
            const count = await deps.db.first<{ n: number }>('select count(*) as n from notes');
            return reply.list(rows, count?.n ?? 0);
          },
          present,
        }),
        route({
          methods: ['POST'],
          path: '/notes',
          summary: 'Creates a note.',
          args: {
            text: { type: 'string', required: true, description: 'Text.' },
            friend: { type: 'integer', description: 'Another note.' },
          },
          schema,
          permission: refuseEdit,
          handle: async ({
            deps,
            args,
            root,
          }: {
            deps: SampleDeps;
            args: { text: string; friend?: number };
            root: string;
          }) => {
            const row = await deps.db.transaction(async (tx) => {
              const made = (await tx.first<Note>(
                'insert into notes (text, friend) values ($1, $2) returning *',
                [args.text, args.friend ?? 0],
              )) as Note;
              await enqueue(tx, 'sample.notes', 'apply-note', { id: made.id });
              return made;
            });
            return reply.created(row, `${root}/sample/v1/notes/${row.id}`);
          },
          present,
        }),
        route({
          methods: ['GET'],
          path: '/notes/(?P<id>[\\d]+)',
          summary: 'Reads a note.',
          args: { id, context },
          schema,
          load: ({ deps, args }: { deps: SampleDeps; args: { id?: number } }) =>
            findNote(deps.db, args.id as number),
          permission: anyone,
          handle: ({ subject }) => reply.item(subject),
          present,
        }),
        route({
          methods: [...WRITE],
          path: '/notes/(?P<id>[\\d]+)',
          summary: 'Changes a note.',
          args: { id, text: { type: 'string', description: 'Text.' } },
          schema,
          load: ({ deps, args }: { deps: SampleDeps; args: { id?: number } }) =>
            findNote(deps.db, args.id as number),
          permission: refuseEdit,
          handle: async ({ deps, subject, args }) => {
            await deps.db.run('update notes set text = coalesce($2, text) where id = $1', [
              subject.id,
              args.text ?? null,
            ]);
            return reply.item(await findNote(deps.db, subject.id));
          },
          present,
        }),
        route({
          methods: ['POST'],
          path: '/claims',
          summary: 'Open to whoever has the key.',
          args: { key: { type: 'string', default: '', description: 'Key.' } },
          permission: ({ args }) => (args.key === 'right' ? undefined : deny('rest_forbidden', 'Wrong key.')),
          handle: () => reply.plain({ claimed: true }),
        }),
        route({
          methods: ['DELETE'],
          path: '/notes/(?P<id>[\\d]+)',
          summary: 'Deletes a note.',
          args: { id, force: forceOnlyArg('notes') },
          schema,
          load: ({ deps, args }: { deps: SampleDeps; args: { id?: number } }) =>
            findNote(deps.db, args.id as number),
          permission: refuseEdit,
          handle: async ({ deps, subject }) => {
            await deps.db.run('delete from notes where id = $1', [subject.id]);
            return reply.deleted(subject);
          },
          present,
        }),
        route({
          methods: ['GET'],
          path: '/notes/count',
          summary: 'Counts notes; not part of the contract.',
          args: {},
          unlisted: true,
          permission: anyone,
          handle: async ({ deps }) =>
            reply.plain(await deps.db.first<{ n: number }>('select count(*) as n from notes')),
        }),
        route({
          methods: ['GET'],
          path: '/broken',
          summary: 'Fails.',
          args: {},
          permission: anyone,
          handle: () => {
            throw new Error('a fault of ours with a secret in it');
          },
        }),
      ],
    },
  ],
  jobs: [
    job<SampleDeps, { id: number }>({
      queue: 'sample.notes',
      name: 'apply-note',
      handle: async ({ tx, payload, deps }) => {
        await tx.run('update notes set applied = applied + 1 where id = $1', [payload.id]);
        const left = deps.failing.get(payload.id) ?? 0;
        if (left > 0) {
          deps.failing.set(payload.id, left - 1);
          throw new Error('failed on purpose');
        }
      },
    }),
  ],
};
