/** Settings for other services. */
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/method';
import { anyone } from '@sevenfold/chassis/http/route';
import { zoneOffsetHours } from '@sevenfold/text/dates';
import {
  SettingsServiceService,
  type SettingsServiceServer,
} from '@sevenfold/proto/gen/sevenfold/content/v1/settings';
import type { Deps } from '../deps';

export const settingsService = ({ settings }: Deps): RpcService =>
  rpcService<SettingsServiceServer>(SettingsServiceService, {
    getSettings: {
      callers: ['calendar', 'cli', 'forms', 'gateway', 'oembed', 'seo'],
      permission: anyone,
      handle: async (_, { caller, show }) => {
        show([]);
        const now = await settings.get();
        return {
          title: now.title ?? '',
          description: now.description,
          url: now.url,
          // Where mail of the site goes is the business of those who send it.
          email: caller === 'forms' ? now.email : '',
          timezone: now.timezone,
          dateFormat: now.date_format,
          timeFormat: now.time_format,
          startOfWeek: now.start_of_week,
          language: now.language,
          defaultCategory: now.default_category,
          postsPerPage: now.posts_per_page,
          defaultCommentStatus: now.default_comment_status,
          defaultPingStatus: now.default_ping_status,
          useSmilies: now.use_smilies,
          gmtOffset: zoneOffsetHours(now.timezone, new Date()),
        };
      },
    },
  });
