-- Rows of up to half a page are kept as they are, as those of posts: compressing texts costs imports, taking them apart costs searches.
alter table events set (toast_tuple_target = 4080);
