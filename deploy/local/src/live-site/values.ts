/** Values of JSON that somebody else wrote: everything may be absent, of another type, or endless. */
export type Raw = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Raw =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

export const recordOf = (value: unknown): Raw => (isRecord(value) ? value : {});

/** Numbers as text; everything else is empty. */
export const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' && Number.isFinite(value)
      ? String(value)
      : '';

/** A number of a thing, as text; `0` where there is none. */
export function idOf(value: unknown): string {
  const text = textOf(value);
  return /^\d{1,15}$/.test(text) && Number(text) > 0 ? String(Number(text)) : '0';
}

export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : [];

export const isTrue = (value: unknown): boolean =>
  value === true || value === 1 || value === '1' || value === 'true';
