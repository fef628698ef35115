/** What the outside service thinks of a message; what its answer tells of the key is noted at once. */
import type { Message } from '../checks/message';
import type { Deps } from '../deps';
import { noteHeard } from '../keys/actions';
import type { Opinion } from './ask';

export async function consult(deps: Deps, message: Message): Promise<Opinion | undefined> {
  const state = await deps.key();
  const answer = await deps.outside.check('key' in state ? state.key : undefined, message);
  if (answer === undefined) return undefined;
  const verified = answer === 'key refused' ? 'invalid' : 'valid';
  if (state.state === 'stored' && state.verified !== verified) await noteHeard(deps, state.key, verified);
  return answer === 'key refused' ? undefined : answer;
}
