/** Arguments of the provider. They have no type in the interface: what cannot be read is answered for, never refused. */
import type { ArgTable } from '@sevenfold/chassis/http/args';

export const embedArgs = {
  url: { required: true, description: 'Address of the page of this site to embed.' },
  format: { default: 'json', description: 'Form of the answer: json or xml.' },
  maxwidth: { default: 600, description: 'Largest width in pixels.' },
} as const satisfies ArgTable;
