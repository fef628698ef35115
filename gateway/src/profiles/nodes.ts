/** Places compiled for one profile: what the translators look up while they read. */
import { type Place, type PlaceName, places } from './places';
import type { Swap } from './profile';
import type { Swaps } from './swaps';

export interface Node {
  readonly text?: Swap;
  readonly names?: Swap;
  readonly members?: ReadonlyMap<string, Node>;
  readonly each?: Node;
}

export type NodeOf = (name: PlaceName) => Node;

export function compileNodes(swaps: Swaps): NodeOf {
  const known = new Map<PlaceName, Node>();
  const byName = (name: PlaceName): Node => {
    const before = known.get(name);
    if (before) return before;
    // Places lie within themselves: the node is known before what is in it.
    const node = {};
    known.set(name, node);
    return Object.assign(node, compile(places[name]));
  };
  const nodeOf = (place: PlaceName | Place): Node =>
    typeof place === 'string' ? byName(place) : compile(place);
  const compile = ({ text, names, members, each }: Place): Node => ({
    text: text && swaps[text],
    names: names && swaps[names],
    members:
      members && new Map(Object.entries(members).map(([name, place]) => [name, nodeOf(place)] as const)),
    each: each === undefined ? undefined : nodeOf(each),
  });
  return byName;
}

/** What a member is called on the other side, and its node. */
export const renamedIn = ({ names }: Node, name: string): string => (names ? names(name) : name);

export const memberOf = ({ members, each }: Node, name: string, renamed: string): Node | undefined =>
  members?.get(name) ?? (renamed === name ? undefined : members?.get(renamed)) ?? each;
