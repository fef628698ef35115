-- Parts that say what a person wrote since an import brought them (common/edited.ts): imports may be told to keep them. What was
-- changed before this is not known: it counts as the import's. What no import made (origin is empty) is people's altogether.
alter table events add column edited text[] not null default '{}';
alter table venues add column edited text[] not null default '{}';
alter table organizers add column edited text[] not null default '{}';
