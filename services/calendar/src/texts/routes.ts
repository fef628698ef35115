/**
 * Texts as they were written, for those who may edit them: lists and items show what is made of them, and whoever moves a
 * site elsewhere wants both. One question for many, since nobody asks for one.
 */
import type { ArgTable } from '@sevenfold/chassis/http/args';
import { type Resource, reply, route } from '@sevenfold/chassis/http/route';
import { described, integer, listOf, object, text } from '@sevenfold/chassis/http/shapes';
import type { Owned } from '@sevenfold/publishing/rights';
import { canEdit, may } from '../common/policy';
import type { CalendarCall, Deps } from '../deps';
import { deny } from '../errors';

const sources = {
  event: 'title_raw as title, description_raw as description, excerpt_raw as excerpt from events',
  venue: 'description_raw as description from venues',
  organizer: 'description_raw as description from organizers',
} as const;

interface Written extends Owned {
  readonly id: number;
  readonly title?: string;
  readonly description: string;
  readonly excerpt?: string;
}

const args = {
  type: {
    type: 'string',
    required: true,
    enum: ['event', 'venue', 'organizer'],
    description: 'What they are texts of.',
  },
  include: {
    type: 'array',
    items: { type: 'integer' },
    required: true,
    maxItems: 100,
    description: 'Numbers of what is asked for.',
  },
} as const satisfies ArgTable;

export const texts: Resource<Deps> = {
  name: 'texts',
  description: 'Texts of events, venues and organizers as they were written.',
  routes: [
    route({
      methods: ['GET'],
      path: '/texts',
      unlisted: true,
      summary: 'Read texts as they were written',
      description:
        'Of events, venues or organizers that the caller may edit, in the order of their numbers; others are left out. Venues and organizers have a description alone.',
      args,
      answers: {
        body: listOf(
          object(
            {
              id: described('Number of the event, venue or organizer.', integer),
              title: described('Title of an event.', text),
              description: described('Description.', text),
              excerpt: described('Excerpt of an event.', text),
            },
            'title',
            'excerpt',
          ),
        ),
      },
      permission: ({ actor }) =>
        may(actor, 'edit')
          ? undefined
          : deny('rest_forbidden', 'You are not allowed to read texts as they were written.'),
      handle: async ({
        deps,
        args: { type, include },
        actor,
      }: CalendarCall<{ type: keyof typeof sources; include: readonly number[] }>) => {
        const rows = await deps.db.rows<Written>(
          `select id, author, status, status_before_trash as "statusBeforeTrash", ${sources[type]}
           where id = any($1::bigint[]) order by id`,
          [include],
        );
        return reply.plain(
          rows
            .filter((row) => canEdit(actor, row))
            .map(({ id, title, description, excerpt }) => ({ id, title, description, excerpt })),
        );
      },
    }),
  ],
};
