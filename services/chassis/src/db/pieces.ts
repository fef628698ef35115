/**
 * Lists whose rows may be of megabytes each. What is read at once is bounded by bytes: a statement answers all ids with their sizes,
 * and the rows themselves as far as the bound goes; the others are read when those before them are with the client.
 */

/** Of columns, as they are read. Several times as much is held while they become JSON. */
export const PIECE_BYTES = 2 * 1024 * 1024;

/** A row that was left for later. */
export interface Late {
  readonly id: number;
  /** In bytes. */
  readonly size: number;
}

/** Cuts them, in their order. */
export function* cut<R extends Pick<Late, 'size'>>(rows: readonly R[]): Generator<R[]> {
  for (let at = 0; at < rows.length;) {
    const piece: R[] = [];
    for (let bytes = 0; at < rows.length && bytes < PIECE_BYTES; at++) {
      const row = rows[at] as R;
      piece.push(row);
      bytes += row.size;
    }
    yield piece;
  }
}

/** Piece by piece, in their order; those that are gone meanwhile are left out. */
export async function* inPieces<R extends { readonly id: number }>(
  late: readonly Late[],
  find: (ids: readonly number[]) => Promise<readonly R[]>,
): AsyncGenerator<R[]> {
  for (const piece of cut(late)) {
    const ids = piece.map(({ id }) => id);
    const found = new Map((await find(ids)).map((row) => [row.id, row]));
    yield ids.flatMap((id) => found.get(id) ?? []);
  }
}
