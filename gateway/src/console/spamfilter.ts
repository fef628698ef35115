/** What administrators should know of the spam filter. Rights are judged here and again by the spamfilter service. */
import { refuseWithout } from '@sevenfold/chassis/http/refuse';
import { type Resource, reply, route } from '@sevenfold/chassis/http/route';
import type { ConsoleDeps } from './deps';

const DEADLINE_MS = 5_000;

const refuseOthers = refuseWithout(
  'manage_spamfilter',
  'You may not manage the spam filter.',
  'Log in to manage the spam filter.',
);

export const spamfilter: Resource<ConsoleDeps> = {
  name: 'spamfilter',
  routes: [
    route({
      methods: ['GET'],
      path: '/spamfilter/notices',
      summary: 'What is wrong with the spam filter and wants somebody to do something',
      args: {},
      permission: refuseOthers,
      handle: async ({ deps, actor, request }) => {
        const { notices } = await deps.notices.listNotices(
          {},
          { actor, requestId: request.id, deadlineMs: DEADLINE_MS },
        );
        return reply.plain(notices);
      },
    }),
  ],
};
