/**
 * Resources by name, with types that follow from the document: `posts.list`, `posts.get`, … A row of the table says method
 * and path; what is asked and answered there is looked up among the generated types, so nothing of it stands here.
 */
import type { paths } from './gen/document.ts';
import type { operations } from './gen/operations.ts';
import type { Listing, Walk } from './listing.ts';
import type { SendOptions } from './transport.ts';
import type { UploadOptions, UploadSource } from './upload.ts';

export interface CallOptions extends SendOptions {
  /** Ends the call, whatever it waits for: an answer, the next try or the next page. */
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What each client is: a function for each row, a group for each table. */
export type Resources = Group<typeof operations>;

type Group<T> = { readonly [Name in keyof T]: T[Name] extends Row ? Call<Name, T[Name]> : Group<T[Name]> };

type Row = readonly [method: string, path: string, extra?: object];

type Call<Name, R extends Row> = Name extends 'list'
  ? R[2] extends { size: number }
    ? List<Declared<R>, R[1], R[2]>
    : R[2] extends { cursor: string }
      ? Walked<Declared<R>, R[1], R[2]>
      : Read<Declared<R>, R[1]>
  : Name extends 'get'
    ? Read<Declared<R>, R[1]>
    : Name extends 'delete' | 'deleteAll'
      ? Delete<Declared<R>, R[1]>
      : Name extends 'upload'
        ? Upload<Declared<R>, R[2]>
        : Write<Declared<R>, R[1]>;

type Declared<R extends Row> = R[1] extends keyof paths
  ? R[0] extends keyof paths[R[1]]
    ? paths[R[1]][R[0]]
    : never
  : never;

// ---- what is asked ---------------------------------------------------------------------------------------------------

type Given<T> = [T] extends [undefined] ? {} : NonNullable<T>;
type Query<Op> = Op extends { parameters: { query?: infer Q } } ? Given<Q> : {};
type Body<Op> = Op extends { requestBody?: { content: { 'application/json': infer B } } } ? B : {};
type Form<Op> = Op extends { requestBody?: { content: { 'multipart/form-data': infer B } } } ? B : {};

/** The variables of a path, in their order. */
type Variables<Op, Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? [Op extends { parameters: { path: Record<Name, infer V> } } ? V : string, ...Variables<Op, Rest>]
  : [];

type Embed<Item> = true | readonly Relation<Item>[] | undefined;
type Fields = readonly string[] | undefined;

/** Which relations are embedded, and which fields are answered, change what comes back. */
type Asked<Q, E, F> = Omit<Q, '_embed' | '_fields' | 'page'> &
  ('_embed' extends keyof Q ? { readonly _embed?: E } : {}) &
  ('_fields' extends keyof Q ? { readonly _fields?: F } : {});

/** Whether it goes for good or into the trash changes what comes back, too. */
type Forced<Q, G> = 'force' extends keyof Q ? { readonly force?: G } : {};

type Sent<B> = {} extends B ? [body?: B] : [body: B];
type Optional<T, Value> = {} extends T ? [query?: Value] : [query: Value];

// ---- what is answered ------------------------------------------------------------------------------------------------

/** What is no JSON is text. */
type Json<T> = T extends { content: infer C }
  ? C extends { 'application/json': infer J }
    ? J
    : string
  : never;
type Answer<Op> = Op extends { responses: infer R } ? Json<R[Extract<keyof R, 200 | 201 | 202>]> : never;

/** Of a list: it is the answer, or its one field that is a list. */
type ItemOf<Op, Extra> =
  Answer<Op> extends readonly (infer Item)[]
    ? Item
    : Extra extends { key: infer Key extends keyof Answer<Op> }
      ? Answer<Op>[Key] extends readonly (infer Item)[]
        ? Item
        : never
      : never;

type Embedded<Item> = Item extends { _embedded?: infer E } ? NonNullable<E> : {};

/** What `_embed` follows from an item. */
export type Relation<Item> = Extract<keyof Embedded<Item>, string>;

type Flat<T> = { [K in keyof T]: T[K] };

type WithEmbedded<Item, E> = Item extends { _embedded?: unknown }
  ? E extends true
    ? Item
    : E extends readonly (infer Name)[]
      ? Flat<
          Omit<Item, '_embedded'> & {
            readonly _embedded?: Flat<Pick<Embedded<Item>, Name & keyof Embedded<Item>>>;
          }
        >
      : Flat<Omit<Item, '_embedded'>>
  : Item;

type Some<T> = T extends readonly unknown[] ? T : T extends object ? { [K in keyof T]?: Some<T[K]> } : T;

type Shown<Item, E, F> = F extends readonly string[] ? Some<WithEmbedded<Item, E>> : WithEmbedded<Item, E>;

interface Gone {
  readonly deleted: true;
}
type Or<T, Else> = [T] extends [never] ? Else : T;

/** Some things have no trash, and others know nothing else: then there is one answer. */
type Removed<A, G> = G extends true ? Or<Extract<A, Gone>, A> : Or<Exclude<A, Gone>, A>;

// ---- calls -----------------------------------------------------------------------------------------------------------

type List<Op, Path extends string, Extra> = <
  const E extends Embed<ItemOf<Op, Extra>> = undefined,
  const F extends Fields = undefined,
>(
  ...args: [...Variables<Op, Path>, ...Optional<Query<Op>, Asked<Query<Op>, E, F>>, options?: CallOptions]
) => Listing<Shown<ItemOf<Op, Extra>, E, F>>;

type Walked<Op, Path extends string, Extra extends { cursor: string }> = (
  ...args: [
    ...Variables<Op, Path>,
    ...Optional<Query<Op>, Omit<Query<Op>, '_fields' | Extra['cursor']>>,
    options?: CallOptions,
  ]
) => Walk<ItemOf<Op, Extra>, Answer<Op>>;

type Read<Op, Path extends string> = <
  const E extends Embed<Answer<Op>> = undefined,
  const F extends Fields = undefined,
>(
  ...args: [...Variables<Op, Path>, ...Optional<Query<Op>, Asked<Query<Op>, E, F>>, options?: CallOptions]
) => Promise<Shown<Answer<Op>, E, F>>;

type Delete<Op, Path extends string> = <
  const E extends Embed<Answer<Op>> = undefined,
  const F extends Fields = undefined,
  const G extends boolean | undefined = undefined,
>(
  ...args: [
    ...Variables<Op, Path>,
    ...Optional<Query<Op>, Asked<Omit<Query<Op>, 'force'>, E, F> & Forced<Query<Op>, G>>,
    options?: CallOptions,
  ]
) => Promise<Shown<Removed<Answer<Op>, G>, E, F>>;

type Write<Op, Path extends string> = (
  ...args: [...Variables<Op, Path>, ...Sent<Body<Op>>, options?: CallOptions]
) => Promise<WithEmbedded<Answer<Op>, undefined>>;

type Upload<Op, Extra> = (
  source: UploadSource,
  options?: UploadOptions<Omit<Form<Op>, Extra extends { file: infer File extends string } ? File : never>>,
) => Promise<WithEmbedded<Answer<Op>, undefined>>;
