-- Pictures that were there before are no less of an import, but it did not make them.
alter table pictures add column found boolean not null default false;
alter table imports add column pictures_found integer not null default 0;
