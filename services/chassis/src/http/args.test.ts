/** The coercion and the faults of arguments, as existing clients know them. */
import type { ApiError } from '../errors';
import type { ArgTable } from './args';
import { readArgs } from './read-args';

const table = {
  page: { type: 'integer', description: 'page', default: 1, minimum: 1 },
  per_page: { type: 'integer', description: 'size', default: 10, minimum: 1, maximum: 100 },
  ids: { type: 'array', items: { type: 'integer' }, description: 'ids' },
  status: {
    type: 'array',
    items: { type: 'string', enum: ['publish', 'draft'] },
    description: 'status',
    default: 'publish',
  },
  force: { type: 'boolean', description: 'force' },
  title: { type: 'object', accept: ['string'], description: 'title' },
  date: { type: 'string', accept: ['null'], format: 'date-time', description: 'date' },
  email: { type: 'string', format: 'email', description: 'e-mail' },
  phone: { type: 'string', lenient: true, description: 'phone' },
  cost: { description: 'anything' },
} as const satisfies ArgTable;

const read = (raw: Record<string, unknown>): Record<string, unknown> => readArgs(table, raw).args;
const fault = (raw: Record<string, unknown>, rows: ArgTable = table): ApiError => {
  try {
    readArgs(rows, raw);
  } catch (error) {
    return error as ApiError;
  }
  throw new Error('nothing was refused');
};
const detail = (raw: Record<string, unknown>, name: string): string =>
  (fault(raw).data.details as Record<string, { code: string }>)[name]?.code ?? 'none';

describe('readArgs', () => {
  test('fills defaults and tells them from what was sent', () => {
    const result = readArgs(table, { page: '2' });
    expect(result.args).toMatchObject({ page: 2, per_page: 10, status: 'publish' });
    expect([...result.sent]).toEqual(['page']);
  });

  test.each([
    ['12', 12],
    [7, 7],
    [' 8 ', 8],
    ['5.0', 5],
  ])('takes %p as an integer', (given, wanted) => expect(read({ page: given }).page).toBe(wanted));

  test('reduces what is above a bound that is no fault', () => {
    const rows = { per_page: { type: 'integer', atMost: 50, minimum: 1, description: 'size' } } as const;
    expect(readArgs(rows, { per_page: '51' }).args).toEqual({ per_page: 50 });
    expect(readArgs(rows, { per_page: '50' }).args).toEqual({ per_page: 50 });
    expect(detail({ page: 0 }, 'page')).toBe('rest_out_of_bounds');
  });

  test.each(['5.5', '', 'abc', 5.5, true, [], {}, '1e400', '99999999999999999999', 'Infinity', '0x10'])(
    'refuses %p as an integer',
    (given) => expect(detail({ page: given }, 'page')).toBe('rest_invalid_type'),
  );

  test.each([0, 101, -1])('refuses %p out of bounds', (given) =>
    expect(detail({ per_page: given }, 'per_page')).toBe('rest_out_of_bounds'),
  );

  test.each([
    [true, true],
    [0, false],
    ['1', true],
    ['false', false],
    ['TRUE', true],
  ])('takes %p as a boolean', (given, wanted) => expect(read({ force: given }).force).toBe(wanted));
  test.each(['yes', 'on', 'maybe', '', 2, []])('refuses %p as a boolean', (given) =>
    expect(detail({ force: given }, 'force')).toBe('rest_invalid_type'),
  );

  test.each([
    ['1,2, 3', [1, 2, 3]],
    [
      ['4', 5],
      [4, 5],
    ],
    [6, [6]],
    ['', []],
    [{ 0: '7', 1: '8' }, [7, 8]],
  ])('takes %p as a list', (given, wanted) => expect(read({ ids: given }).ids).toEqual(wanted));
  test('names the entry that is wrong', () => {
    expect(fault({ ids: '1,x' }).data.params).toEqual({ ids: 'ids[1] is not of type integer.' });
    expect(detail({ status: ['publish', 'gone'] }, 'status')).toBe('rest_not_in_enum');
  });
  test('bounds the length of lists', () =>
    expect(detail({ ids: Array.from({ length: 1001 }, () => 1) }, 'ids')).toBe('rest_too_many_items'));

  test('takes text for an object only where the row says so', () => {
    expect(read({ title: 'plain' }).title).toBe('plain');
    expect(read({ title: { raw: 'x' } }).title).toEqual({ raw: 'x' });
    expect(detail({ title: [1] }, 'title')).toBe('rest_invalid_type');
  });
  test('null is itself where the row says so, the empty value where that may be, and else as if absent', () => {
    expect(read({ date: null }).date).toBeNull();
    const may = { type: 'string', description: '' } as const;
    const given = readArgs(
      {
        text: may,
        id: { type: 'integer', description: '' },
        flag: { type: 'boolean', default: true, description: '' },
        list: { type: 'array', items: { type: 'integer' }, description: '' },
        map: { type: 'object', description: '' },
        any: { description: '' },
        email: { ...may, format: 'email' },
        word: { ...may, enum: ['a', 'b'], default: 'b' },
        size: { type: 'integer', minimum: 1, default: 3, description: '' },
        name: { ...may, check: (text: string) => (text === '' ? 'It is empty.' : undefined) },
        kept: { ...may, nullIsAbsent: true },
      },
      Object.fromEntries(
        ['text', 'id', 'flag', 'list', 'map', 'any', 'email', 'word', 'size', 'name', 'kept'].map((name) => [
          name,
          null,
        ]),
      ),
    );
    expect(given.args).toEqual({
      text: '',
      id: 0,
      flag: false,
      list: [],
      map: {},
      any: null,
      word: 'b',
      size: 3,
    });
    expect([...given.sent]).toEqual(['text', 'id', 'flag', 'list', 'map', 'any']);
  });
  test('takes numbers for text only where the row says so', () => {
    expect(read({ phone: 112 }).phone).toBe('112');
    expect(detail({ email: 112 }, 'email')).toBe('rest_invalid_type');
  });
  test.each(['2024-06-01', 'soon', '2024-13-01T00:00:00'])('refuses %p as a date and time', (given) =>
    expect(detail({ date: given }, 'date')).toBe('rest_invalid_date'),
  );
  test.each(['a', 'a@b', 'a b@c.de', 'a@-b.de', 'a..b@c.de'])('refuses %p as an e-mail address', (given) =>
    expect(detail({ email: given }, 'email')).toBe('rest_invalid_email'),
  );
  test('leaves open types alone', () => expect(read({ cost: { any: [1] } }).cost).toEqual({ any: [1] }));
  test('ignores names that are not declared, inherited ones too', () => {
    expect(read({ unknown: 1, toString: 2 })).not.toHaveProperty('unknown');
    expect(
      Object.keys(read(JSON.parse('{"__proto__": {"page": 9}}') as Record<string, unknown>)),
    ).not.toContain('__proto__');
  });

  test('reports all faults at once, and missing ones before wrong ones', () => {
    const error = fault({ page: 'x', force: 'maybe' });
    expect(error).toMatchObject({
      status: 400,
      code: 'rest_invalid_param',
      message: 'Invalid parameter(s): page, force',
    });
    const required = {
      a: { type: 'string', required: true, description: '' },
      b: { type: 'integer', required: true, description: '' },
    } as const;
    const missing = fault({ a: null, b: undefined }, required);
    expect(missing).toMatchObject({ status: 400, code: 'rest_missing_callback_param' });
    expect(missing.data.params).toEqual(['a', 'b']);
  });
});
