/** Names that PostgreSQL gives. What is asked for by another text is not there, and is no fault of the database. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);
