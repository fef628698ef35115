/** From columns to the names of a row type, and back: the one place where snake_case becomes camelCase. */
export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `alias.date_local as "dateLocal", …` */
export const selectList = (names: readonly string[], alias: string): string =>
  names.map((name) => `${alias}.${snake(name)} as "${name}"`).join(', ');

/** `(id, date_local, …) values ($1, $2, …)` */
export function insertList(row: object): { text: string; values: unknown[] } {
  const names = Object.keys(row);
  return {
    text: `(${names.map(snake).join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    values: Object.values(row),
  };
}

/** `date_local = $2, …`: the first place is left for the id. */
export function updateList(changes: object): { text: string; values: unknown[] } {
  return {
    text: Object.keys(changes)
      .map((name, index) => `${snake(name)} = $${index + 2}`)
      .join(', '),
    values: Object.values(changes),
  };
}
