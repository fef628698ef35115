/** Calls to the content service: terms, media, settings and users live there. */
import type { Dial, Target } from '@sevenfold/chassis/grpc/dial';
import { type Neighbours, dialAll } from '@sevenfold/chassis/grpc/neighbours';
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

interface Interfaces {
  terms: TermServiceServer;
  media: MediaServiceServer;
  settings: SettingsServiceServer;
  identity: IdentityServiceServer;
}

export interface ContentClients extends Neighbours<Interfaces> {
  /** Whether the content service answers at all. */
  readonly pulse: Pulse;
}

export function dialContent(dial: Dial, address: string, log: Log): ContentClients {
  const where = { service: 'content', address };
  const pulse = followPulse({ dial, ...where, log });
  const content: Target = { ...where, pulse };
  const clients = dialAll<Interfaces>(dial, log, {
    terms: [TermServiceService, content],
    media: [MediaServiceService, content],
    settings: [SettingsServiceService, content],
    identity: [IdentityServiceService, content],
  });
  return {
    ...clients,
    pulse,
    close: async () => {
      await pulse.stop();
      await clients.close();
    },
  };
}
