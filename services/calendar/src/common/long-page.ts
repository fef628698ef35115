/** A page of things of which some are long: each is made when those before it are with the client. */
import { parseQuery } from '@sevenfold/chassis/http/body';
import { listText } from '@sevenfold/chassis/http/long-list';
import { parseFields, pickFields } from '@sevenfold/chassis/http/pick-fields';
import { type Reply, reply } from '@sevenfold/chassis/http/route';
import { JSON_TYPE } from '@sevenfold/chassis/http/send';
import type { CalendarCall } from '../deps';

const INDENT = 4;
const LINES = /\n/g;

type Make = () => Promise<object | undefined>;

/** The list under its name, and `about` behind it, as `reply.plain` would answer them. What is not there any more is left out. */
export const longPage = (
  { request }: Pick<CalendarCall<object>, 'request'>,
  name: string,
  things: readonly Make[],
  about: object,
  headers: Readonly<Record<string, string>>,
): Reply<never> => reply.text(textOf(request.query, name, things, about), JSON_TYPE, 200, { ...headers });

async function* textOf(
  query: string,
  name: string,
  things: readonly Make[],
  about: object,
): AsyncGenerator<string | Buffer> {
  const { _fields, _pretty } = parseQuery(query);
  const fields = parseFields(_fields);
  const isPretty = _pretty !== undefined;
  const picked = (body: object): Readonly<Record<string, unknown>> =>
    (fields ? pickFields(body, fields) : body) as Record<string, unknown>;
  const behind = JSON.stringify(picked(about), null, isPretty ? INDENT : undefined);
  if (picked({ [name]: [{}] })[name] === undefined) {
    yield behind;
    return;
  }

  async function* items(): AsyncGenerator<unknown[]> {
    for (const make of things) {
      const one = await make();
      if (one) yield picked({ [name]: [one] })[name] as unknown[];
    }
  }

  const deeper = `\n${' '.repeat(INDENT)}`;
  // Together with the first of them, so that nothing is sent before one could be made.
  let before = isPretty ? `{${deeper}"${name}": ` : `{"${name}":`;
  for await (const piece of listText(items(), isPretty)) {
    yield before + (isPretty ? String(piece).replace(LINES, deeper) : String(piece));
    before = '';
  }
  const isAll = behind.length <= 2;
  yield isAll ? (isPretty ? '\n}' : '}') : `,${behind.slice(1)}`;
}
