/** oEmbed proxy: what it takes to embed items of other sites, for those who write here; those of this site are known. */
import { refuseWithout } from '@sevenfold/chassis/http/refuse';
import { type Resource, reply, route } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { embedData, sizeFor } from '../embeds/data';
import { embedAnswer } from '../embeds/schema';
import { errors } from '../errors';
import { ownAddress, webAddress } from '../site/address';
import { findItem } from '../site/find';
import { proxyArgs } from './schema';

const refuseReaders = refuseWithout(
  'edit_posts',
  'Only who may write posts may ask for embeds of other sites.',
);

export const proxy: Resource<Deps> = {
  name: 'proxy',
  description: 'What it takes to embed items of other sites.',
  routes: [
    route({
      methods: ['GET'],
      path: '/proxy',
      summary: 'oEmbed data of a resource anywhere',
      description:
        'Asks the provider of an address for what it takes to embed it, and cleans what it answers. Private and local addresses are not asked.',
      args: proxyArgs,
      answers: { body: embedAnswer, refuses: [404] },
      permission: refuseReaders,
      handle: async ({ actor, args, deps, request }) => {
        const { url, maxwidth, maxheight, discover } = args;
        const own = ownAddress(deps.siteUrl, url);
        if (own) {
          const item = await findItem(deps, own, { signal: request.signal() });
          if (!item) throw errors.invalidUrl();
          return reply.plain(embedData(item, await deps.site(), deps.siteUrl, sizeFor(maxwidth)));
        }
        const address = webAddress(url);
        if (!address) throw errors.invalidUrl();
        const { embed } = await deps.resolve({
          asker: actor.id,
          address,
          maxWidth: pixels(maxwidth) ?? 600,
          maxHeight: pixels(maxheight),
          discover,
        });
        if (!embed) throw errors.invalidUrl();
        return reply.plain(embed);
      },
    }),
  ],
};

const MOST_PIXELS = 4_096;

/** Undefined for what is no size. */
function pixels(value: unknown): number | undefined {
  const number = Math.trunc(Number(value));
  return number >= 1 ? Math.min(number, MOST_PIXELS) : undefined;
}
