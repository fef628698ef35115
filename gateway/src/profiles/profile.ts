/**
 * What a client profile is: the vocabulary of another interface, as data. Where in requests and answers its words stand
 * is the same for all profiles (places.ts). Pairs are exchanged, ours first: what we call so does not exist there, so a
 * profile is its own way back.
 */
export type Pair = readonly [ours: string, theirs: string];
export type Pairs = readonly Pair[];

/** What a text is called on the other side. */
export type Swap = (text: string) => string;

export interface ProfileData {
  readonly name: string;
  /** Path below which the interface lies, as ours lies below `/rest`. */
  readonly root: string;
  /** Query argument that names a route, below any address of the site. */
  readonly routeArgument: string;
  /** Relation of `Link` that leads from anywhere to the root. */
  readonly rootRelation: string;
  readonly namespaces: Pairs;
  /** Routes of these namespaces are spelled with other patterns. */
  readonly patterns: { readonly of: readonly string[]; readonly pairs: Pairs };
  /** Types, taxonomies and statuses. */
  readonly words: Pairs;
  /** Kinds of objects as the SEO namespace names them. */
  readonly subtypes: Pairs;
  /** How names of relations begin; the curie that stands for it, and where that leads (below the site: ours). */
  readonly relations: { readonly prefix: Pair; readonly curie: Pair; readonly href: Pair };
  readonly settings: Pairs;
  /** How names begin that a contact form sends beside its fields. */
  readonly formFields: Pairs;
  /** How names begin by which scripts find a form in its page. */
  readonly formParts: Pairs;
  /** How codes of errors begin. */
  readonly codes: Pairs;
  /** How names of rights end. */
  readonly capabilities: Pairs;
  /** What the totals of lists are called, too, by our namespace: of rows, of pages. */
  readonly totals: Readonly<Record<string, readonly [rows: string, pages: string]>>;
  /** Headers that clients send and that mean nothing here; scripts of other sites may send them. */
  readonly ignoredHeaders: readonly string[];
  /** Query arguments of that kind. */
  readonly ignoredArguments: readonly string[];
}
