/** Tests and benchmarks come from one address, and ask much of it. */
import { variables } from '../config';

const counted = Object.keys(variables).filter((name) =>
  /^(?:RATE_LIMIT_(?!ALLOW)|CONNECTIONS_PER_ADDRESS$)/.test(name),
);

/** For what tests of limits do not test. */
export const NO_LIMITS: Readonly<Record<string, number>> = Object.fromEntries(
  counted.map((name) => [name, 0]),
);
