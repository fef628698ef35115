/** Arguments of the oEmbed routes. `url`, `format` and `maxwidth` of the provider have no type in the interface. */
import type { ArgTable } from '@sevenfold/chassis/http/args';

export const embedArgs = {
  url: { required: true, description: 'Address of the page of this site to embed.' },
  format: { default: 'json', description: 'Form of the answer: json or xml.' },
  maxwidth: { default: 600, description: 'Largest width in pixels.' },
} as const satisfies ArgTable;

export const proxyArgs = {
  url: { type: 'string', required: true, description: 'Address of the resource to fetch oEmbed data from.' },
  format: { type: 'string', default: 'json', enum: ['json', 'xml'], description: 'Form that is asked for.' },
  maxwidth: { type: 'integer', default: 600, description: 'Largest width in pixels.' },
  maxheight: { type: 'integer', description: 'Largest height in pixels.' },
  discover: {
    type: 'boolean',
    default: true,
    description: 'Whether to look for oEmbed links on pages of providers that are not on the allowed list.',
  },
} as const satisfies ArgTable;
