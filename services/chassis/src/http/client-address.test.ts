/** Where a client is: what the gateway signed, for as long as that holds; for everybody else, where he connects from. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { readStatement, signStatement } from '../statement';
import { ADDRESS_HEADER, addressReader, addressSigner } from './client-address';

const SECRET = 'a secret';
const CLIENT = '203.0.113.9';
const NOW = Date.UTC(2026, 0, 1);
const HERE = '127.0.0.1';

let server: http.Server;
let url: string;
beforeEach(async () => {
  const read = addressReader(SECRET);
  server = http.createServer((request, response) => void response.end(read(request)));
  await once(server.listen(0, HERE), 'listening');
  url = `http://${HERE}:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  jest.restoreAllMocks();
  await once(server.close(), 'close');
});

const at = (ms: number): void => void jest.spyOn(Date, 'now').mockReturnValue(NOW + ms);
const told = async (value?: string): Promise<string> => {
  const headers = { Connection: 'close', ...(value !== undefined && { [ADDRESS_HEADER]: value }) };
  return (await fetch(url, { headers })).text();
};
const signed = (until: number, claims: object = { address: CLIENT }, secret = SECRET): string =>
  signStatement('address', claims, secret, NOW + until);

test('what the gateway signs is believed, and remembered for no longer than twenty seconds after its end', async () => {
  at(0);
  const value = addressSigner(SECRET)(CLIENT);
  expect(await told(value)).toBe(CLIENT);
  at(19_999);
  expect(await told(value)).toBe(CLIENT);
  at(59_999);
  expect(await told(value)).toBe(CLIENT);
  at(59_999 + 19_999);
  expect(await told(value)).toBe(CLIENT);
  at(59_999 + 20_000);
  expect(await told(value)).toBe(HERE);
});

test('a statement is made anew after twenty seconds, so that it never comes too late', () => {
  const sign = addressSigner(SECRET);
  const endOf = (value: string): number => Number(readStatement('address', value, SECRET, NOW)?.until) - NOW;
  at(0);
  const first = sign(CLIENT);
  expect(endOf(first)).toBe(60_000);
  expect(readStatement('address', first, SECRET, NOW)?.address).toBe(CLIENT);
  at(19_999);
  expect(sign(CLIENT)).toBe(first);
  at(20_000);
  expect(endOf(sign(CLIENT))).toBe(80_000);
});

test('two clients have an address each, however many were there before', async () => {
  const sign = addressSigner(SECRET);
  for (let n = 0; n < 1_100; n++) sign(`198.51.100.${n}`);
  expect(await told(sign('198.51.100.7'))).toBe('198.51.100.7');
  expect(await told(sign('198.51.100.8'))).toBe('198.51.100.8');
});

test('whoever comes again and again is remembered, however many others come once', () => {
  const sign = addressSigner(SECRET);
  at(0);
  const first = sign(CLIENT);
  at(1);
  for (let n = 0; n < 2_500; n++) {
    sign(`2001:db8::${n}`);
    if (n % 500 === 0) sign(CLIENT);
  }
  expect(sign(CLIENT)).toBe(first);
});

test('what is over, of another secret, for another purpose or no address is not believed', async () => {
  at(0);
  expect(await told(signed(1))).toBe(CLIENT);
  for (const value of [
    undefined,
    '',
    CLIENT,
    signed(0),
    signed(60_000, { address: CLIENT }, 'guessed'),
    signed(60_000, {}),
    signed(60_000, { address: 5 }),
    signed(60_000, { address: '' }),
    signStatement('call', { address: CLIENT }, SECRET, NOW + 60_000),
  ])
    expect([value, await told(value)]).toEqual([value, HERE]);
});
