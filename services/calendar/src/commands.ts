/** What the command line does with the calendar, on the database itself; printing is the caller's business. */
export { recountListings } from './common/recount';
