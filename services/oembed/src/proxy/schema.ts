/** Arguments of the proxy. */
import type { ArgTable } from '@sevenfold/chassis/http/args';

export const proxyArgs = {
  url: { type: 'string', required: true, description: 'Address of the resource to fetch oEmbed data from.' },
  format: { type: 'string', default: 'json', enum: ['json', 'xml'], description: 'Form that is asked for.' },
  // What is no size is none: clients are not used to hear of it.
  maxwidth: {
    type: 'integer',
    accept: ['string', 'number'],
    default: 600,
    description: 'Largest width in pixels.',
  },
  maxheight: { type: 'integer', accept: ['string', 'number'], description: 'Largest height in pixels.' },
  discover: {
    type: 'boolean',
    default: true,
    description: 'Whether to look for oEmbed links on pages of providers that are not on the allowed list.',
  },
} as const satisfies ArgTable;
