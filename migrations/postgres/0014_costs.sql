-- Where the amount of a cost is from (src/model/costs/span-cost.ts has the codes), and what the sender said that the call costs, in
-- 10^-12 USD. Rows of spans that were stored before have no cost until they are computed.
alter table span_costs add column source bigint not null default 0;
alter table span_costs add column given_cost bigint;
