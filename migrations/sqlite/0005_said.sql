-- What a person reads first of input and output, where their beginning is not it: the last question and the last answer of
-- messages, the telling text of JSON. Null where the beginning says it, and in rows of older versions.
alter table spans add column input_said text;
alter table spans add column output_said text;
