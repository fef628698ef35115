/** Arguments of the provider. They have no type in the interface: what cannot be read is answered for, never refused. */
import type { ArgTable } from '@sevenfold/chassis/http/args';
import * as shape from '@sevenfold/chassis/http/shapes';

export const embedArgs = {
  url: { required: true, description: 'Address of the page of this site to embed.' },
  format: { default: 'json', description: 'Form of the answer: json or xml.' },
  maxwidth: { default: 600, description: 'Largest width in pixels.' },
} as const satisfies ArgTable;

const optional = {
  title: shape.described('Title of what is embedded.', shape.text),
  author_name: shape.described('Who made it.', shape.text),
  author_url: shape.described('Page of who made it.', shape.text),
  provider_name: shape.described('Name of the site that it is from.', shape.text),
  provider_url: shape.described('Address of that site.', shape.text),
  width: shape.described('Width in pixels.', shape.integer),
  height: shape.described('Height in pixels.', shape.integer),
  url: shape.described('Address of the picture itself, where it is one.', shape.text),
  thumbnail_url: shape.described('Address of a small picture of it.', shape.text),
  thumbnail_width: shape.described('Width of the small picture in pixels.', shape.integer),
  thumbnail_height: shape.described('Height of the small picture in pixels.', shape.integer),
};

/** The fields of oEmbed 1.0; of pages of this site, `type` is always `rich`. */
export const embedAnswer = shape.object(
  {
    version: shape.described('Version of oEmbed.', shape.constant('1.0')),
    type: shape.described('What it is.', { enum: ['rich', 'video', 'photo', 'link'] }),
    html: shape.described('What to put into the page.', shape.text),
    ...optional,
  },
  ...Object.keys(optional),
);
