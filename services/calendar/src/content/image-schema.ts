/** The field of a picture, in the schemas of what shows one. */
import type { Property } from '@sevenfold/chassis/http/present';

const sizeProperties = {
  width: { type: 'integer', description: 'Width in pixels.', optional: true },
  height: { type: 'integer', description: 'Height in pixels.', optional: true },
  'mime-type': { type: 'string', description: 'Type of the file.' },
  filesize: { type: 'integer', description: 'Size of the file in bytes.', optional: true },
  url: { type: 'string', format: 'uri', description: 'Address of the file.' },
} as const satisfies Record<string, Property>;

export const imageSizeProperty = {
  type: 'object',
  description: 'A picture in one size.',
  properties: sizeProperties,
} as const satisfies Property;

/** As images.ts presents it: of a file that stayed elsewhere its measures may be unknown. */
export const imageProperty = {
  type: 'object',
  description: 'Featured image.',
  properties: {
    url: { type: 'string', format: 'uri', description: 'Address of the file.' },
    id: { type: 'integer', description: 'Number of the attachment.' },
    extension: { type: 'string', description: 'Extension of the file name.' },
    width: { type: 'integer', description: 'Width in pixels.', optional: true },
    height: { type: 'integer', description: 'Height in pixels.', optional: true },
    filesize: { type: 'integer', description: 'Size of the file in bytes.', optional: true },
    sizes: {
      type: 'object',
      description: 'Smaller copies by the names of their sizes.',
      additionalProperties: imageSizeProperty,
      optional: true,
    },
  },
} as const satisfies Property;
