-- What stands for addresses of other sites in rendered descriptions of events, as the oembed service resolved it: by address and
-- width, so that a description which is written again is rendered without asking anybody.
create table stored_embeds (
  url text not null,
  width integer not null,
  -- empty: nothing stands for it but a link
  html text not null,
  fresh_until timestamptz not null
);
-- Addresses may be longer than a b-tree takes.
create unique index stored_embeds_key on stored_embeds (md5(url), width);
