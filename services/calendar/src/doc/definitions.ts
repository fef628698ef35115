/** Shapes that the document names, so that each is described once. What has the fields of one of them refers to it. */
import type { ItemSchema, Property } from '@sevenfold/chassis/http/present';
import { imageProperty, imageSizeProperty } from '../content/image-schema';
import { eventSchema } from '../events/schema';
import { organizerKind } from '../organizers/kind';
import { venueKind } from '../venues/kind';
import { categoryKind, tagKind } from '../terms/kinds';

interface Part {
  readonly description?: string;
  readonly properties: Readonly<Record<string, Property>>;
}

const partOf = (schema: ItemSchema, name: string): Part => {
  const { description, properties = {} } = schema.properties[name] as Property;
  return { description, properties };
};

export const namedParts: Readonly<Record<string, Part>> = {
  Event: eventSchema,
  Venue: venueKind.schema,
  Organizer: organizerKind.schema,
  Image: imageProperty,
  ImageSize: imageSizeProperty,
  DateDetails: {
    ...partOf(eventSchema, 'start_date_details'),
    description: 'Parts of a date, as two-digit text.',
  },
  CostDetails: partOf(eventSchema, 'cost_details'),
  Term: { ...categoryKind.schema, description: 'An event category or event tag.' },
};

/** By the title of a schema: tags are terms without a parent. */
export const definitionNames: Readonly<Record<string, string>> = {
  [categoryKind.schema.title]: 'Term',
  [tagKind.schema.title]: 'Term',
};
