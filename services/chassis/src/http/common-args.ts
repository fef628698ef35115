/** Arguments that resources of every service have. A service repeats none of them; what differs is said by words. */
import type { Arg, ArgTable } from './args';

export const contextArg = {
  type: 'string',
  enum: ['view', 'embed', 'edit'],
  default: 'view',
  description: 'Which fields are returned.',
} as const satisfies Arg;

/** The id in a path, `of` as in «Identifier of the user»: declared as optional, as clients know it, although it is always there. */
export const idArg = (of: string) =>
  ({ type: 'integer', description: `Identifier of the ${of}.` }) as const satisfies Arg;

/** For creating: an id in the body is refused by the handler, so the argument is read, but it is none of the contract's. */
export const refusedIdArg = {
  unlisted: true,
  description: 'Refused: ids are given by the service.',
} as const satisfies Arg;

const pageArg = { type: 'integer', default: 1, minimum: 1, description: 'Page of the list.' } as const;

const MOST_PER_PAGE = 100;

/** `page` and `per_page` of a list of `things`; more than 100 on a page are refused. */
export const pageArgs = (things: string) =>
  ({
    page: pageArg,
    per_page: {
      type: 'integer',
      default: 10,
      minimum: 1,
      maximum: MOST_PER_PAGE,
      description: `Most ${things} on a page.`,
    },
  }) as const satisfies ArgTable;

/** The same where more than `most` on a page are no fault, but reduced. */
export const reducedPageArgs = (things: string, most: number) =>
  ({
    page: pageArg,
    per_page: {
      type: 'integer',
      default: 10,
      minimum: 1,
      atMost: most,
      description: `Most ${things} on a page, ${most} in all.`,
    },
  }) as const satisfies ArgTable;

/** Deleting moves to the trash without it. */
export const forceArg = {
  type: 'boolean',
  default: false,
  description: 'Deletes for good instead of moving to the trash.',
} as const satisfies Arg;

/** Of things without a trash: deleting is refused without it. */
export const forceOnlyArg = (things: string) =>
  ({
    type: 'boolean',
    default: false,
    description: `Must be true: ${things} have no trash.`,
  }) as const satisfies Arg;

type Unlisted<T extends ArgTable> = { readonly [K in keyof T]: T[K] & { readonly unlisted: true } };

/** Arguments that work and appear in OpenAPI, but not in the index, whose arguments the contract fixes. */
export const unlisted = <const T extends ArgTable>(table: T): Unlisted<T> =>
  Object.fromEntries(
    Object.entries(table).map(([name, arg]) => [name, { ...arg, unlisted: true }]),
  ) as Unlisted<T>;
