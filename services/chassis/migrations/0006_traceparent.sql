-- What a trace goes on from when the row's job or event is worked at; empty where nothing was traced.
alter table outbox add column traceparent text not null default '';
