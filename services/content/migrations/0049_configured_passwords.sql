-- Which application passwords are those of the configuration: by the name alone, one that a person gave the same name was revoked with
-- the next start. Of those from before nobody can tell more than their name.
alter table application_passwords add column is_configured boolean not null default false;
update application_passwords set is_configured = true where name = 'setup';
