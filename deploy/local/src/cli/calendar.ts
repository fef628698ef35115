/** Commands about what the calendar keeps beside its events. */
import type { Command } from 'commander';
import { recountListings } from '@sevenfold/calendar/commands';
import { printJson } from './output';
import { withCalendar } from './sites';

export function addCalendarCommands(calendar: Command): void {
  calendar
    .command('recount')
    .description(
      'count anew what lists count and pass by, while the site runs, as after tables were emptied or put back by hand; prints how much was wrong, as JSON',
    )
    .action(() => withCalendar(async (deps) => printJson(await recountListings(deps))));
}
