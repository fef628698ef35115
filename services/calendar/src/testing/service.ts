/** The calendar of a test file, with a real content service behind it and the users a test needs. */
import { randomBytes } from 'node:crypto';
import { type Speaker, type TestService, startTestService } from '@sevenfold/chassis/testing/service';
import { freePort } from '@sevenfold/chassis/ports';
import type { Actor } from '@sevenfold/chassis/actor';
import { type ContentSite, startContent } from '@sevenfold/content/testing/service';
import type { Role } from '@sevenfold/content/users/roles';
import { type Config, variables } from '../config';
import type { Deps } from '../deps';
import { calendarService } from '../service';

export interface CalendarSite extends TestService<Deps> {
  readonly content: ContentSite;
  /** One user for each role. */
  readonly users: Readonly<Record<Role, Actor>>;
  /** Speaks as the role's user; `anonymous` as nobody. */
  by(role: Role | 'anonymous'): Speaker;
}

/** The site's clock is New York's. */
export async function startCalendar(
  overrides: Partial<Config> = {},
  ofContent: Parameters<typeof startContent>[0] = {},
): Promise<CalendarSite> {
  const port = await freePort();
  const content = await startContent({ CALENDAR_GRPC: `127.0.0.1:${port}`, ...ofContent });
  const test = await startCalendarOf(`127.0.0.1:${content.service.grpcPort}`, {
    GRPC_PORT: port,
    ...overrides,
  });
  return {
    ...test,
    content,
    users: content.users,
    by: (role) => test.as(role === 'anonymous' ? undefined : content.users[role]),
    stop: async () => {
      await test.stop();
      await content.stop();
    },
  };
}

/** Both do their work in the background, and hear of each other: Redis is theirs alone. */
export function startCalendarAtWork(): Promise<CalendarSite> {
  const work = { ROLE: 'all', REDIS_PREFIX: `calendar-at-work-${randomBytes(6).toString('hex')}` } as const;
  return startCalendar(work, work);
}

/** A calendar alone, beside whatever listens at the address. */
export function startCalendarOf(
  contentGrpc: string,
  overrides: Partial<Config> = {},
): Promise<TestService<Deps>> {
  return startTestService(
    calendarService,
    {
      CONTENT_GRPC: contentGrpc,
      ...overrides,
    },
    variables,
  );
}
