/** What administrators should know of the spam filter. Rights are judged here and again by the spamfilter service. */
import { can, isLoggedIn } from '@sevenfold/chassis/actor';
import { type Denial, type Resource, type Subject, reply, route } from '@sevenfold/chassis/http/route';
import { deny } from '../edge/errors';
import type { ConsoleDeps } from './deps';

const DEADLINE_MS = 5_000;

const refuseOthers = ({ actor }: Subject<ConsoleDeps, unknown>): Denial | undefined =>
  can(actor, 'manage_spamfilter')
    ? undefined
    : deny(
        'rest_forbidden',
        isLoggedIn(actor) ? 'You may not manage the spam filter.' : 'Log in to manage the spam filter.',
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
