/** What tests hold every answer against: each way of saying something else than the document is found, with its place. */
import { contextArg, forceOnlyArg, idArg, pageArgs } from '../http/common-args';
import type { ItemSchema } from '../http/present';
import { anyone, reply, route } from '../http/route';
import * as shape from '../http/shapes';
import { conformityOf } from './conformity';

const schema: ItemSchema = {
  title: 'note',
  linked: 'followed',
  embeds: { friend: shape.itemOf({ title: 'note' }) },
  properties: {
    id: { type: 'integer', description: 'Number.' },
    date: { type: 'string', format: 'date-time', description: 'When, on the clock of the site.' },
    secret: { type: 'string', description: 'For editors.', context: ['edit'] },
    more: { type: 'string', description: 'Where there is more.', optional: true },
    meta: { type: 'object', description: 'None.', answered: shape.emptyList },
    text: {
      type: ['object', 'null'],
      description: 'Text.',
      properties: { rendered: { type: 'string', description: 'As HTML.' } },
    },
  },
};

const handle = () => reply.plain(true);
const shared = { schema, permission: anyone, handle };
const PATH = '/notes/(?P<id>[\\d]+)';

const check = conformityOf({
  namespace: 'sample/v1',
  title: 'Sample',
  description: 'Notes.',
  resources: [
    {
      name: 'notes',
      routes: [
        route({ ...shared, methods: ['GET'], path: '/notes', summary: 'List', args: pageArgs('notes') }),
        route({ ...shared, methods: ['POST'], path: '/notes', summary: 'Create', args: {} }),
        route({
          ...shared,
          methods: ['GET'],
          path: PATH,
          summary: 'Read',
          args: { id: idArg('note'), context: contextArg },
        }),
        route({
          ...shared,
          methods: ['DELETE'],
          path: PATH,
          summary: 'Delete',
          args: { id: idArg('note'), force: forceOnlyArg('notes') },
        }),
        route({
          methods: ['GET'],
          path: '/count',
          summary: 'Count',
          args: {},
          answers: { body: shape.integer, types: ['text/xml'], also: { 404: shape.text } },
          permission: anyone,
          handle,
        }),
      ],
    },
  ],
});

const note = { id: 1, date: '2030-01-31T18:00:00', meta: [], text: { rendered: '' } };
const fault = { code: 'gone', message: 'It is not there.', data: { status: 404 } };
const PAGED = { 'X-Total': '1', 'X-Total-Pages': '1' };

interface Given {
  readonly method?: string;
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly sent?: Record<string, string>;
}

const told = (
  path: string,
  body: unknown,
  { method = 'GET', status = 200, headers, sent = {} }: Given = {},
) => {
  try {
    check({
      method,
      path,
      sent,
      status,
      headers: new Headers({ 'Content-Type': 'application/json; charset=UTF-8', ...headers }),
      text: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return 'right';
  } catch (error) {
    return (error as Error).message;
  }
};

test.each<[string, string, unknown, Given?]>([
  ['an item', '/notes/1', note],
  ['an item without what may be hidden, or nothing of it', '/notes/1', { ...note, text: null, more: 'x' }],
  [
    'links and what they lead to',
    '/notes/1',
    { ...note, _links: { up: [{ href: '/' }] }, _embedded: { friend: [note, fault] } },
  ],
  ['a list', '/notes', [note], { headers: PAGED }],
  ['some fields', '/notes/1?_fields=id', { id: 1 }],
  ['none of them', '/notes?_fields=none', [[]], { headers: PAGED }],
  ['what was made', '/notes', note, { method: 'POST', status: 201 }],
  ['what was deleted', '/notes/1?force=true', { deleted: true, previous: note }, { method: 'DELETE' }],
  ['an error', '/notes/1', fault, { status: 404 }],
  ['an error of its own', '/count', '"none"', { status: 404 }],
  ['another type', '/count', '<n>1</n>', { headers: { 'Content-Type': 'text/xml' } }],
  ['the head of an answer', '/notes', '', { method: 'HEAD', headers: PAGED }],
  ['another method than it seems', '/notes', { any: 1 }, { sent: { 'X-HTTP-Method-Override': 'DELETE' } }],
  ['another answer around it', '/notes?_envelope', { body: 1 }],
  ['what no route answers', '/nothing', { any: 1 }],
  ['an address that cannot be read', '/notes/%', { any: 1 }, { status: 400 }],
])('%s is as declared', (...[, path, body, given]) => {
  expect(told(path, body, given)).toBe('right');
});

test.each<[string, string, unknown, string, Given?]>([
  ['a field that nobody told of', '/notes/1', { ...note, extra: 1 }, 'additional properties: extra'],
  [
    'a relation that nobody told of',
    '/notes/1',
    { ...note, _embedded: { up: [note] } },
    'additional properties: up',
  ],
  [
    'a deeper one',
    '/notes/1',
    { ...note, text: { rendered: '', raw: '' } },
    '/text must NOT have additional properties: raw',
  ],
  ['one of other fields', '/notes/1?_fields=id', { extra: 1 }, 'additional properties: extra'],
  ['a missing field', '/notes/1', { ...note, date: undefined }, "required property 'date'"],
  ['another type', '/notes/1', { ...note, id: '1' }, '/id must be integer'],
  ['another format', '/notes/1', { ...note, date: '2030-01-31' }, '/date must match format'],
  ['no list', '/notes', note, 'must be array', { headers: PAGED }],
  ['a list without its headers', '/notes', [note], 'X-Total is missing'],
  ['a status', '/notes/1', note, 'the status is not declared', { status: 201 }],
  ['a type of body', '/notes/1', 'x', 'it comes as text/html', { headers: { 'Content-Type': 'text/html' } }],
  [
    'an error without code',
    '/notes/1',
    { ...fault, code: undefined },
    "required property 'code'",
    { status: 404 },
  ],
  [
    'what was deleted, as if it were there',
    '/notes/1',
    note,
    "required property 'deleted'",
    { method: 'DELETE' },
  ],
])('%s is not', (...[, path, body, reason, given]) => {
  expect(told(path, body, given)).toContain(reason);
  expect(told(path, body, given)).toContain('The OpenAPI document of sample/v1 does not know this answer');
});
