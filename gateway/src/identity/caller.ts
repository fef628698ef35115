/** Who is calling, as the services are told. */
import type { Actor } from '@sevenfold/chassis/actor';

export interface Caller {
  readonly actor: Actor;
  /** Which of the user's credentials it is. */
  readonly credential: string;
  /** The signed statement. */
  readonly header: string;
}
