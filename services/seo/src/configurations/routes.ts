/** The answers of the configuration wizard, and the wizard itself as data. */
import { apiError } from '@sevenfold/chassis/errors';
import { type Resource, reply, route } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { refuseOthers } from '../policy';
import { readAnswers, save } from './actions';
import { present } from './presenter';
import { configurationAnswer, sentAnswers, savedAnswer } from './schema';

export const configurations: Resource<Deps> = {
  name: 'configurator',
  description: 'Answers of the configuration wizard, and the wizard itself.',
  routes: [
    route({
      methods: ['GET'],
      path: '/configurator',
      summary: 'Read the configuration and its form',
      description: 'The answers that the wizard has so far, and the wizard itself: fields and steps as data.',
      args: {},
      answers: { body: configurationAnswer },
      permission: refuseOthers,
      handle: async ({ deps }) => reply.plain(present(await readAnswers(deps.db))),
    }),
    route({
      methods: ['POST'],
      path: '/configurator',
      summary: 'Change the configuration',
      description:
        'Takes answers by the names of fields and tells of each whether it was taken; unknown names are left out.',
      args: {},
      sends: { json: sentAnswers },
      answers: { body: savedAnswer },
      permission: refuseOthers,
      handle: async ({ deps, request: { body, bodyKind } }) => {
        if (bodyKind !== 'json')
          throw apiError('rest_invalid_json', 400, 'Send the answers as a JSON object of field and value.');
        const results = await save(deps, body as Record<string, unknown>);
        // Clients are used to an empty list where no field was known.
        return reply.plain(Object.keys(results).length === 0 ? [] : results);
      },
    }),
  ],
};
