/** Settings of the spam filter. */
import { type Resource, WRITE, reply, route } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { refuseOthers } from '../policy';
import { saveArgs, settingsSchema } from './schema';
import * as store from './store';

export const settings: Resource<Deps> = {
  name: 'settings',
  description: 'Settings of the spam filter.',
  routes: [
    route({
      methods: ['GET'],
      path: '/settings',
      summary: 'Read the settings',
      description: 'What is done with the worst spam, and what the list of comments shows.',
      args: {},
      schema: settingsSchema,
      permission: refuseOthers,
      present: (saved: store.SavedSettings) => saved,
      handle: async ({ deps }) => reply.item(await store.read(deps.db)),
    }),
    route({
      methods: WRITE,
      path: '/settings',
      summary: 'Change the settings',
      description: 'Changes settings and answers all of them.',
      args: saveArgs,
      schema: settingsSchema,
      permission: refuseOthers,
      present: (saved: store.SavedSettings) => saved,
      handle: async ({ deps, args }) => {
        await deps.db.transaction((tx) => store.save(tx, args));
        deps.memory.forget('settings');
        return reply.item(await store.read(deps.db));
      },
    }),
  ],
};
