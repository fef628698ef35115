/** A site that others move in from: content and calendar behind a gateway that speaks as clients of the original do. */
import { type CalendarSite, startCalendarOf } from '@sevenfold/calendar/testing/service';
import { freePort } from '@sevenfold/chassis/ports';
import { createApplicationPassword } from '@sevenfold/content/users/commands';
import { type ContentSite, startContent } from '@sevenfold/content/testing/service';
import { addresses, startTestGateway } from '@sevenfold/gateway/testing';

export interface SourceSite extends Omit<CalendarSite, 'by'> {
  readonly content: ContentSite;
  readonly calendar: Pick<CalendarSite, 'by'>;
  readonly address: string;
  /** Of an administrator. */
  readonly credential: { readonly username: string; readonly password: string };
}

export async function startSource(): Promise<SourceSite> {
  const [http, grpc] = [await freePort(), await freePort()];
  const address = `http://127.0.0.1:${http}`;
  const content = await startContent({ SITE_URL: address, CALENDAR_GRPC: `127.0.0.1:${grpc}` });
  const test = await startCalendarOf(`127.0.0.1:${content.service.grpcPort}`, {
    GRPC_PORT: grpc,
    SITE_URL: address,
  });
  const gateway = await startTestGateway({
    ...addresses('CONTENT', content.service),
    ...addresses('CALENDAR', test.service),
    CLIENT_PROFILES: 'wordpress',
    HTTP_PORT: http,
    SITE_URL: address,
  });
  const { username } = content.users.administrator;
  const { secret } = await createApplicationPassword(content.deps, { username, name: 'moving' });
  return {
    ...test,
    content,
    users: content.users,
    calendar: { by: (role) => test.as(role === 'anonymous' ? undefined : content.users[role]) },
    address,
    credential: { username, password: secret },
    stop: async () => {
      await gateway.stop();
      await test.stop();
      await content.stop();
    },
  };
}
