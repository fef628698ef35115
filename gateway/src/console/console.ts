/**
 * `/console/api`: what the people who run the site ask for, beside the interface of the site. Its routes are declared
 * and served like those of any service; who is calling is known from the gateway's own sign-in.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ACTOR_HEADER } from '@sevenfold/chassis/actor';
import type { Dial, Remote } from '@sevenfold/chassis/grpc/dial';
import { type RequestHandler, serve } from '@sevenfold/chassis/http/road';
import type { Log } from '@sevenfold/chassis/log';
import {
  type SubmissionServiceServer,
  SubmissionServiceService,
} from '@sevenfold/proto/gen/sevenfold/forms/v1/submission';
import {
  type ImportsServiceServer,
  ImportsServiceService,
} from '@sevenfold/proto/gen/sevenfold/imports/v1/imports';
import {
  type NoticeServiceServer,
  NoticeServiceService,
} from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/notices';
import type { HeadServiceServer } from '@sevenfold/proto/gen/sevenfold/seo/v1/head';
import {
  type OverrideServiceServer,
  OverrideServiceService,
} from '@sevenfold/proto/gen/sevenfold/seo/v1/overrides';
import type { Caller } from '../identity/caller';
import type { Config } from '../config';
import { errors } from '../edge/errors';
import { heads } from './head';
import { imports } from './imports';
import { overrides } from './overrides';
import { spamfilter } from './spamfilter';
import { submissions } from './submissions';

export const CONSOLE_API = '/console/api';

export interface Console {
  readonly answer: (
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller | undefined,
    requestId: string,
  ) => Promise<void>;
  /** Ends the answers that would go on for ever; browsers ask for them again, elsewhere. */
  readonly endStreams: () => void;
  readonly close: () => void;
}

export function openConsole(config: Config, dial: Dial, log: Log, seo: Remote<HeadServiceServer>): Console {
  const remote = dial<ImportsServiceServer>(ImportsServiceService, {
    service: 'imports',
    address: config.IMPORTS_GRPC,
  });
  const notices = dial<NoticeServiceServer>(NoticeServiceService, {
    service: 'spamfilter',
    address: config.SPAMFILTER_GRPC,
  });
  const forms = dial<SubmissionServiceServer>(SubmissionServiceService, {
    service: 'forms',
    address: config.FORMS_GRPC,
  });
  const choices = dial<OverrideServiceServer>(OverrideServiceService, {
    service: 'seo',
    address: config.SEO_GRPC,
  });
  const stopping = new AbortController();
  const handle: RequestHandler = serve({
    namespace: 'api',
    base: '/console',
    resources: [heads, imports, overrides, spamfilter, submissions],
    deps: {
      heads: seo,
      imports: remote,
      notices,
      overrides: choices,
      submissions: forms,
      stopping: stopping.signal,
    },
    log,
    siteUrl: config.SITE_URL,
    actorSecret: config.ACTOR_SECRET,
  });
  return {
    answer: (request, response, caller, requestId) => {
      const type = request.headers['content-type'] ?? '';
      // A form of another site, or no body at all, could be sent with the credentials a browser remembers; JSON cannot,
      // without being asked for. Browsers name the origin of whatever may change something.
      const fromPage =
        request.method !== 'GET' && request.method !== 'HEAD' && request.headers.origin !== undefined;
      if ((type !== '' || fromPage) && !type.startsWith('application/json'))
        throw errors.unsupportedMediaType(type);
      request.headers['x-request-id'] = requestId;
      delete request.headers[ACTOR_HEADER];
      if (caller) request.headers[ACTOR_HEADER] = caller.header;
      return handle(request, response);
    },
    endStreams: () => stopping.abort(),
    close: () => {
      remote.close();
      notices.close();
      forms.close();
      choices.close();
    },
  };
}
