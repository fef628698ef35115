/** Requests with an absolute address whose host is none: they take the road of all others. */
import { startTestGateway } from '../testing';
import { raw } from '../testing/sockets';

test('an absolute address whose host nobody could read is answered like any other, and counts', async () => {
  const gateway = await startTestGateway({ RATE_LIMIT_ADDRESS: 3 });
  const got: string[] = [];
  for (const host of ['xn--a', '[::1', 'xn--a', 'xn--a', 'xn--a'])
    got.push(
      await raw(
        gateway.port,
        `GET http://${host}/rest/nothing/v1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      ),
    );
  expect(got.map((one) => one.slice(9, 12))).toEqual(['404', '404', '404', '429', '429']);
  for (const one of got) expect(one).toContain('"code":"rest_');
});
