/** What was chosen for an object, in the words of the console and the command line, which are those of indexables. */
import { type ChosenForObject, Overrides } from '../gen/sevenfold/seo/v1/overrides';

export type OverrideName = keyof Overrides;

/** As messages name them. */
export const overrideNames = Object.keys(Overrides.fromPartial({})) as OverrideName[];

/** As they are shown. */
export const shownName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const shownOverrides = ({ overrides, ...told }: ChosenForObject): Record<string, unknown> => ({
  object_type: told.objectType,
  object_id: told.objectId,
  ...Object.fromEntries(overrideNames.map((name) => [shownName(name), overrides?.[name] ?? null])),
  primary_focus_keyword_score: told.primaryFocusKeywordScore ?? null,
  readability_score: told.readabilityScore ?? null,
});
