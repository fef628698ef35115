/** Arguments of the provider. They have no type in the interface: what cannot be read is answered for, never refused. */
import type { ArgTable } from '@sevenfold/chassis/http/args';
import * as shape from '@sevenfold/chassis/http/shapes';

export const embedArgs = {
  url: { required: true, description: 'Address of the page of this site to embed.' },
  format: { default: 'json', description: 'Form of the answer: json or xml.' },
  maxwidth: { default: 600, description: 'Largest width in pixels.' },
} as const satisfies ArgTable;

const optional = {
  title: shape.text,
  author_name: shape.text,
  author_url: shape.text,
  provider_name: shape.text,
  provider_url: shape.text,
  width: shape.integer,
  height: shape.integer,
  url: shape.text,
  thumbnail_url: shape.text,
  thumbnail_width: shape.integer,
  thumbnail_height: shape.integer,
};

/** The fields of oEmbed 1.0; of pages of this site, `type` is always `rich`. */
export const embedAnswer = shape.object(
  {
    version: shape.constant('1.0'),
    type: { enum: ['rich', 'video', 'photo', 'link'] },
    html: shape.text,
    ...optional,
  },
  ...Object.keys(optional),
);
