/** Calls to the content service: terms, media, settings and users live there. */
import type { Dial, Remote } from '@sevenfold/chassis/grpc/dial';
import { type Pulse, followPulse } from '@sevenfold/chassis/grpc/pulse';
import type { Log } from '@sevenfold/chassis/log';
import {
  IdentityServiceService,
  type IdentityServiceServer,
} from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import {
  MediaServiceService,
  type MediaServiceServer,
} from '@sevenfold/proto/gen/sevenfold/content/v1/media';
import {
  SettingsServiceService,
  type SettingsServiceServer,
} from '@sevenfold/proto/gen/sevenfold/content/v1/settings';
import { TermServiceService, type TermServiceServer } from '@sevenfold/proto/gen/sevenfold/content/v1/terms';

export interface ContentClients {
  readonly terms: Remote<TermServiceServer>;
  readonly media: Remote<MediaServiceServer>;
  readonly settings: Remote<SettingsServiceServer>;
  readonly identity: Remote<IdentityServiceServer>;
  /** Whether the content service answers at all. */
  readonly pulse: Pulse;
  close(): Promise<void>;
}

export function dialContent(dial: Dial, address: string, log: Log): ContentClients {
  const where = { service: 'content', address };
  const pulse = followPulse({ dial, ...where, log });
  const options = { ...where, pulse };
  const terms = dial<TermServiceServer>(TermServiceService, options);
  const media = dial<MediaServiceServer>(MediaServiceService, options);
  const settings = dial<SettingsServiceServer>(SettingsServiceService, options);
  const identity = dial<IdentityServiceServer>(IdentityServiceService, options);
  return {
    terms,
    media,
    settings,
    identity,
    pulse,
    close: async () => {
      await pulse.stop();
      for (const client of [terms, media, settings, identity]) client.close();
    },
  };
}
