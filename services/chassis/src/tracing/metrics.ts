/** How many spans were sent, and how many lost: told always, so that a rule over them has something to look at. */
import { Counter } from 'prom-client';

export const spans = new Counter({
  name: 'trace_spans_total',
  help: 'Spans by what became of them: sent, or lost where whoever collects them did not take them',
  labelNames: ['outcome'],
});
for (const outcome of ['sent', 'lost']) spans.inc({ outcome }, 0);
