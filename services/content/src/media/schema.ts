/** Fields of an attachment (REFERENCE.md 4.2), and the arguments of its routes (INTERFACE.md 4.4). */
import type { ArgTable, ArgsOf } from '@sevenfold/chassis/http/args';
import { contextArg, forceArg, idArg, refusedIdArg } from '@sevenfold/chassis/http/common-args';
import type { ItemSchema, Property } from '@sevenfold/chassis/http/present';
import { metaProperty } from '../common/meta';
import {
  type ListQuery,
  commonWriteArgs,
  listArgs,
  parentListArgs,
  textArg,
  updateArgsOf,
} from '../posts/args';
import { commonEmbeds, commonProperties, renderedText } from '../posts/schema';

const EDIT = ['edit'] as const;
const VIEW = ['view', 'edit'] as const;

/** What an attachment's own status can be; any other that is written means the first. */
export const mediaStatuses = ['inherit', 'private', 'trash'] as const;

const openOrClosed = (description: string): Property => ({
  type: 'string',
  enum: ['open', 'closed'],
  description,
  context: VIEW,
});

export const mediaSchema: ItemSchema = {
  title: 'attachment',
  linked: 'followed',
  embeds: commonEmbeds,
  properties: {
    ...commonProperties,
    status: { ...commonProperties.status, enum: mediaStatuses, answered: undefined },
    title: renderedText('Title.'),
    author: { type: 'integer', description: 'Id of the user who owns it.' },
    comment_status: openOrClosed('Whether comments are open.'),
    ping_status: openOrClosed('Whether pings are open.'),
    template: { type: 'string', description: 'Theme file used to render.', context: VIEW },
    meta: metaProperty,
    permalink_template: {
      type: 'string',
      description: 'Address that works in any status.',
      context: EDIT,
      readonly: true,
    },
    generated_slug: {
      type: 'string',
      description: 'Slug that the title would give.',
      context: EDIT,
      readonly: true,
    },
    description: renderedText(
      'Description; rendered with the picture, or a link to the file, in front.',
      VIEW,
    ),
    caption: renderedText('Caption.'),
    alt_text: { type: 'string', description: 'Text offered when the picture cannot be displayed.' },
    media_type: {
      type: 'string',
      enum: ['image', 'file'],
      description: 'Picture or any other file.',
      readonly: true,
    },
    mime_type: { type: 'string', description: 'Type of the file.', readonly: true },
    media_details: {
      type: 'object',
      description: 'Measures, copies and camera data of a picture.',
      readonly: true,
    },
    post: {
      type: ['integer', 'null'],
      description: 'Id of the post it is attached to; null without.',
      context: VIEW,
    },
    source_url: { type: 'string', format: 'uri', description: 'Address of the file.', readonly: true },
    missing_image_sizes: {
      type: 'array',
      items: { type: 'string' },
      description: 'Copies not yet made; always none.',
      context: EDIT,
      readonly: true,
    },
  },
};

export const mediaListArgs = {
  ...listArgs('media'),
  status: {
    type: 'array',
    items: { type: 'string', enum: mediaStatuses, open: true },
    default: 'inherit',
    description: 'Keeps what has one of these statuses; private and trash take rights.',
  },
  ...parentListArgs,
  media_type: {
    type: 'string',
    enum: ['image', 'video', 'text', 'application', 'audio'],
    description: 'Keeps files of this kind.',
  },
  mime_type: {
    type: 'string',
    maxLength: 200,
    description: 'Keeps files of this type; a type that cannot be uploaded has no effect.',
  },
} as const satisfies ArgTable;

const mediaWriteArgs = {
  ...commonWriteArgs,
  alt_text: { type: 'string', description: 'Text offered when the picture cannot be displayed.' },
  caption: textArg('Caption, as text or as {raw}.'),
  description: textArg('Description, as text or as {raw}.'),
  post: {
    type: 'integer',
    minimum: 0,
    // Answers have it, and clients send back what they were given.
    accept: ['null'],
    description: 'Id of the post to attach it to, 0 for none.',
  },
} as const satisfies ArgTable;

export const createArgs = { ...mediaWriteArgs, id: refusedIdArg } as const satisfies ArgTable;
export const readArgs = { id: idArg('attachment'), context: contextArg } as const satisfies ArgTable;
export const updateArgs = {
  id: idArg('attachment'),
  ...mediaWriteArgs,
  ...updateArgsOf('inherit', 'trash'),
} as const satisfies ArgTable;
export const deleteArgs = { id: idArg('attachment'), force: forceArg } as const satisfies ArgTable;

/** Write arguments as read. */
export type MediaFields = Omit<Partial<ArgsOf<typeof mediaWriteArgs>>, 'status'> & {
  readonly status?: string;
};

/** Arguments of a list as read. */
export type MediaQuery = ListQuery & Pick<ArgsOf<typeof mediaListArgs>, 'media_type' | 'mime_type'>;
