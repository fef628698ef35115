import { type Holder, whoGivesWay } from './shares';

const holder = (address: string, rate = 50_000, given: Partial<Holder> = {}): Holder => ({
  address,
  rate,
  isStuck: false,
  isKnown: true,
  ...given,
});
const many = (n: number, address: string, given: Partial<Holder> = {}): Holder[] =>
  Array.from({ length: n }, (_, at) => holder(address, 50_000 + at, given));
const waiter = (address: string): { address: string } => ({ address });

/** What gives way, as addresses with their rates, to those who wait at 64 places. */
const given = (holders: readonly Holder[], ...addresses: string[]): string[] =>
  whoGivesWay(holders, addresses.map(waiter), 64).map(
    ([giver, taker]) => `${giver.address} ${giver.rate} to ${taker.address}`,
  );

describe('by shares', () => {
  test('addresses of one network are one, of IPv6 too', () => {
    const four = ['1', '2', '3', '4'].flatMap((last) => many(16, `198.51.100.${last}`));
    expect(given(four, '203.0.113.9')).toEqual(['198.51.100.1 50000 to 203.0.113.9']);
    const six = ['0', '1', '2', '3'].flatMap((last) => many(16, `2001:db8:0:${last}::1`));
    expect(given(six, '203.0.113.9')).toEqual(['2001:db8:0:0::1 50000 to 203.0.113.9']);
  });

  test('the address with the most of the largest network goes first, the slowest of it', () => {
    const holders = [
      ...many(20, '198.51.100.1'),
      ...many(22, '198.51.100.2'),
      ...many(22, '192.0.2.1'),
      holder('192.0.2.1', 5_000),
    ];
    expect(given(holders, '203.0.113.9')).toEqual(['198.51.100.2 50000 to 203.0.113.9']);
  });

  test('networks that hold all with a quarter each give way, too', () => {
    const holders = ['1', '2', '3', '4'].flatMap((net) => many(16, `198.51.${net}.1`));
    expect(given(holders, '203.0.113.9', '203.0.113.9')).toHaveLength(2);
  });

  test('nobody gives way who holds no more than his share, or one place more than whoever waits', () => {
    const single = Array.from({ length: 60 }, (_, at) => holder(`198.51.${at}.1`));
    expect(given([...single, ...many(4, '192.0.2.1')], '203.0.113.9')).toEqual([]);
    expect(given([...many(33, '192.0.2.1'), ...many(32, '203.0.113.9')], '203.0.113.9')).toEqual([]);
    expect(given([...many(34, '192.0.2.1'), ...many(32, '203.0.113.9')], '203.0.113.9')).toHaveLength(1);
    // With no more than a quarter nobody has more than his share among few.
    expect(given([...many(16, '192.0.2.1'), ...many(2, '198.51.100.1')], '203.0.113.9')).toEqual([]);
  });

  test('whoever waits for himself gets nothing, but another address of his network does', () => {
    const all = many(64, '192.0.2.1');
    expect(given(all, '192.0.2.1')).toEqual([]);
    expect(given(all, '192.0.2.2')).toEqual(['192.0.2.1 50000 to 192.0.2.2']);
  });

  test('what has hardly begun counts, but does not give way', () => {
    const fresh = many(63, '192.0.2.1', { isKnown: false });
    expect(given(fresh, '203.0.113.9')).toEqual([]);
    expect(given([...fresh, holder('192.0.2.1', 90_000)], '203.0.113.9')).toEqual([
      '192.0.2.1 90000 to 203.0.113.9',
    ]);
  });

  test('so many wait, so many give way, until none holds more', () => {
    const line = Array.from({ length: 100 }, () => '203.0.113.9');
    expect(given(many(64, '192.0.2.1'), ...line)).toHaveLength(32);
  });
});

test('whatever hardly comes on gives way to anybody, and before others', () => {
  const holders = [...many(60, '192.0.2.1'), ...many(2, '203.0.113.9', { isStuck: true, isKnown: false })];
  expect(given(holders, '203.0.113.9', '203.0.113.9', '203.0.113.9')).toEqual([
    '203.0.113.9 50000 to 203.0.113.9',
    '203.0.113.9 50001 to 203.0.113.9',
    '192.0.2.1 50000 to 203.0.113.9',
  ]);
});

test('whoever holds the least has the place, however long the line before him is', () => {
  const holders = [...many(63, '192.0.2.1'), holder('198.51.100.1', 0, { isStuck: true })];
  expect(given(holders, '192.0.2.1', '192.0.2.1', '203.0.113.9')).toEqual(['198.51.100.1 0 to 203.0.113.9']);
});
