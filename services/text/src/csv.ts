/**
 * Rows of CSV as RFC 4180 has them. What a spreadsheet would take for a formula is marked as text by an apostrophe: the
 * cells are what strangers wrote.
 */

// Full-width forms too, which some programs read as the plain ones, and white space that others skip.
const FORMULA = /^[\s\u200b\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20|%]|^[\t\r\n]/;

export const csvRow = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}
