-- Of what is a list that goes on over several pages: what its owner told of it, as JSON, so that the heads of later pages are made
-- without asking anybody. Empty of all else.
alter table indexables add list_item text not null default '';
