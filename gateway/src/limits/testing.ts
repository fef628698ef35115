/** Tests and benchmarks come from one address, and ask much of it. */
import { variables } from '../config';
import { WINDOW_MS } from './counters';

const counted = Object.keys(variables).filter((name) =>
  /^(?:RATE_LIMIT_(?!ALLOW)|CONNECTIONS_PER_ADDRESS$)/.test(name),
);

/** For what tests of limits do not test. */
export const NO_LIMITS: Readonly<Record<string, number>> = Object.fromEntries(
  counted.map((name) => [name, 0]),
);

/**
 * What was counted fades when a minute of the clock is over, and what was not told by then never is: each test begins with
 * a minute, and counts the same whenever it runs.
 */
export function inMinutesOfTheirOwn(): void {
  const { now } = Date;
  let ahead = 0;
  beforeAll(() => {
    Date.now = () => now() + ahead;
  });
  beforeEach(() => {
    ahead += WINDOW_MS - (Date.now() % WINDOW_MS);
  });
  afterAll(() => {
    Date.now = now;
  });
}
