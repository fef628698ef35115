/** oEmbed provider: what other sites need to embed an item of this one. */
import type { ApiError } from '@sevenfold/chassis/errors';
import { parseQuery } from '@sevenfold/chassis/http/body';
import { parseFields, pickFields } from '@sevenfold/chassis/http/pick-fields';
import {
  type Reply,
  type RequestInfo,
  type Resource,
  anyone,
  passingOn,
  reply,
  route,
} from '@sevenfold/chassis/http/route';
import { openSeen } from '@sevenfold/chassis/news/seen';
import type { Deps } from '../deps';
import { errors } from '../errors';
import { ownAddress } from '../site/address';
import { findItem } from '../site/find';
import { embedData, sizeFor } from './data';
import { embedAnswer, embedArgs } from './schema';
import { XML_TYPE, toXml } from './xml';

export const embeds: Resource<Deps> = {
  name: 'embeds',
  description: 'What it takes to embed items of this site.',
  routes: [
    route({
      methods: ['GET'],
      path: '/embed',
      summary: 'oEmbed data of a page of this site',
      description:
        'What other sites need to embed a page of this one, as JSON, or as XML with `format=xml`. An address of no public page is 404.',
      args: embedArgs,
      answers: { body: embedAnswer, types: ['text/xml'], refuses: [404] },
      permission: anyone,
      handle: async ({ args, deps, request }) => {
        const address = ownAddress(deps.siteUrl, args.url);
        const seen = openSeen();
        const item = address && (await findItem(deps, address, { signal: request.signal(), seen }));
        if (!item) throw errors.invalidUrl();
        const data = embedData(item, await deps.site(seen), deps.siteUrl, sizeFor(args.maxwidth));
        return passingOn(args.format === 'xml' ? xml(data, request) : reply.plain(data), seen);
      },
      answerError: (error, request) => (wantsXml(request) ? xmlError(error) : undefined),
    }),
  ],
};

const wantsXml = ({ query }: RequestInfo): boolean => parseQuery(query).format === 'xml';

function xml(data: Readonly<Record<string, unknown>>, { query }: RequestInfo): Reply<never> {
  const fields = parseFields(parseQuery(query)._fields);
  return reply.text(toXml((fields ? pickFields(data, fields) : data) as typeof data), XML_TYPE);
}

const xmlError = (error: ApiError): Reply<never> =>
  reply.text(toXml({ ...error.body() }), XML_TYPE, error.status);
