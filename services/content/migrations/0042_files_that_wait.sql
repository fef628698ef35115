-- The status that a file of another site gets once what it hangs on is here; it is private until then. Empty: the one that it has.
alter table pending_links add column status text not null default '';
