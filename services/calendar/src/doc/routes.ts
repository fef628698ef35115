/** The description of this namespace for tools that read Swagger 2.0. */
import { type Resource, anyone, reply, route } from '@sevenfold/chassis/http/route';
import * as shape from '@sevenfold/chassis/http/shapes';
import { fixed } from '@sevenfold/chassis/http/shows';
import type { Deps } from '../deps';
import { swagger } from './swagger';

/** Describes the resources, and itself. */
export function docOf(resources: readonly Resource<Deps>[]): Resource<Deps> {
  const doc: Resource<Deps> = {
    name: 'doc',
    description: 'This namespace, described for tools that read Swagger 2.0.',
    routes: [
      route({
        methods: ['GET'],
        path: '/doc',
        summary: 'Describe the calendar routes',
        description:
          'All routes of this namespace as a Swagger 2.0 document, for tools that know nothing newer.',
        args: {},
        answers: { body: shape.described('A Swagger 2.0 document.', shape.anyObject) },
        permission: anyone,
        shows: { ...fixed, clock: true },
        // Made anew each time: the default window of a list moves with the days.
        handle: ({ deps }) => reply.plain(swagger([doc, ...resources], deps.siteUrl)),
      }),
    ],
  };
  return doc;
}
