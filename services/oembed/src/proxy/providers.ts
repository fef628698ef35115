/** Who provides for which addresses: the public list of oEmbed providers, kept by a package. Others are discovered. */
import list from 'oembed-providers/providers.json';
import { matches } from './glob';

export interface Provider {
  readonly provider_name: string;
  readonly endpoints: readonly { readonly schemes?: readonly string[]; readonly url: string }[];
}

/** The endpoint to ask about an address; undefined for those of nobody on the list. */
export type FindEndpoint = (address: URL) => URL | undefined;

interface Scheme {
  readonly host: string;
  readonly rest: string;
  readonly endpoint: URL;
}

export function readProviders(providers: readonly Provider[] = list): FindEndpoint {
  const schemes = providers.flatMap(({ endpoints }) => endpoints.flatMap(schemesOf));
  return (address) => {
    const rest = `${address.pathname}${address.search}`;
    return schemes.find((one) => matches(one.host, address.hostname) && matches(one.rest, rest))?.endpoint;
  };
}

/** What is not of the web (`spotify:*`), or has no path, names no page. */
function schemesOf({ schemes = [], url }: Provider['endpoints'][number]): Scheme[] {
  const endpoint = new URL(url.replace('{format}', 'json'));
  return schemes.flatMap((scheme) => {
    const [, host, rest] = /^https?:\/\/([^/:]+)(?::\d+)?(\/.*)$/.exec(scheme) ?? [];
    return host === undefined || rest === undefined ? [] : [{ host: host.toLowerCase(), rest, endpoint }];
  });
}
