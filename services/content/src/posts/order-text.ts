/** An order as SQL, or its reverse. */
import type { OrderKey } from './list';

const flip = { asc: 'desc', desc: 'asc' } as const;

export const orderText = (order: readonly OrderKey[], reversed = false): string =>
  order.map(({ sql, direction }) => `${sql} ${reversed ? flip[direction] : direction}`).join(', ');
