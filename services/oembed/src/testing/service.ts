/** The oembed service of a test file, with a real calendar and a real content service behind it. */
import type { Actor } from '@sevenfold/chassis/actor';
import { freePort } from '@sevenfold/chassis/ports';
import { type Speaker, type TestService, startTestService } from '@sevenfold/chassis/testing/service';
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';
import type { Role } from '@sevenfold/content/users/roles';
import { type Config, variables } from '../config';
import type { Deps } from '../deps';
import { type Surroundings, oembedServiceIn } from '../service';

export interface OembedSite extends TestService<Deps> {
  readonly calendar: CalendarSite;
  readonly users: Readonly<Record<Role, Actor>>;
  /** Speaks as the role's user; `anonymous` as nobody. */
  by(role: Role | 'anonymous'): Speaker;
}

export async function startOembed(
  overrides: Partial<Config> = {},
  surroundings: Surroundings = {},
): Promise<OembedSite> {
  const calendar = await startCalendar();
  const test = await startOembedAlone(
    {
      CONTENT_GRPC: `127.0.0.1:${calendar.content.service.grpcPort}`,
      CALENDAR_GRPC: `127.0.0.1:${calendar.service.grpcPort}`,
      ...overrides,
    },
    surroundings,
  );
  return {
    ...test,
    calendar,
    users: calendar.users,
    by: (role) => test.as(role === 'anonymous' ? undefined : calendar.users[role]),
    stop: async () => {
      await test.stop();
      await calendar.stop();
    },
  };
}

/** Without neighbours, unless their addresses are given. */
export async function startOembedAlone(
  overrides: Partial<Config> = {},
  surroundings: Surroundings = {},
): Promise<TestService<Deps>> {
  const nowhere = `127.0.0.1:${await freePort()}`;
  return startTestService(
    oembedServiceIn(surroundings),
    {
      CONTENT_GRPC: nowhere,
      CALENDAR_GRPC: nowhere,
      ...overrides,
    },
    variables,
  );
}
