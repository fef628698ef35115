-- Site settings by name; what is absent has the default of settings/schema.ts.
create table settings (
  name text primary key,
  value jsonb not null
);
