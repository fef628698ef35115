/** Who is calling, as the services are told. */
import type { Actor } from '@sevenfold/chassis/actor';

export interface Caller {
  readonly actor: Actor;
  /** The signed statement. */
  readonly header: string;
}
