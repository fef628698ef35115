-- What is asked for is united, so that an index in that order spares the sorting: PostgreSQL went through all of it, in the order of its
-- keys, with no sequential scan at all. What is left are the indexes of what is shown.
alter function showing(bigint[], bigint[], bigint[]) set enable_indexscan = off;
alter function showing(bigint[], bigint[], bigint[]) set enable_indexonlyscan = off;
