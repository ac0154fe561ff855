// Queries that no deadline of a test outlives.
import { sql } from "kysely";

export const ENDLESS_TEXT = `with recursive counted (number) as (
  select 1 union all select number + 1 from counted where number < 10000000000
) select count(*) as total from counted`;

export const ENDLESS_QUERY = sql<{ total: number }>`${sql.raw(ENDLESS_TEXT)}`;
