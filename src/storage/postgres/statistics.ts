// Statistics for the planner after growth. Autovacuum looks once a minute, and not at all where it is off; until then a table that was
// just filled is planned as a small one, and reads take ten times as long.
import { lockKeys } from "../lock-keys.ts";
import { codeOf } from "./failure.ts";
import type { PostgresPool } from "./pool.ts";

/** A table is due when this many times the pages are in use that were when it was last analysed, or this part of its rows is new. */
const GROWTH = 2;
const CHANGED = 0.5;
/** Below this growth any plan will do. */
const LEAST_PAGES = 16;
const LEAST_ROWS = 1000;
/** An analysis reads 30,000 rows at most; one that takes longer waits for its time. */
const MOST_MILLISECONDS = 20_000;
/** Less than the second after which the server would end an autovacuum that is in the way. */
const LOCK_MILLISECONDS = 200;
/** The table is locked, or the time is over: it is tried again later. */
const NOT_NOW = new Set(["55P03", "57014", "40P01"]);

/** Analyses the tables of the schema that have grown since they last were, one server at a time, and returns their names. */
type RefreshStatistics = () => Promise<string[]>;

export function createRefreshStatistics(pool: PostgresPool): RefreshStatistics {
  /** Size of each table in pages when it was last tried: without the right to analyse it, it is not tried again until it has grown. */
  const tried = new Map<string, number>();

  async function dueTables() {
    const rows = await pool<{ name: string; pages: number }[]>`
      select c.relname::text as name, pg_relation_size(c.oid) / current_setting('block_size')::bigint as pages
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
        left join pg_stat_user_tables s on s.relid = c.oid
      where c.relkind = 'r' and n.nspname = current_schema()
        and (pg_relation_size(c.oid) / current_setting('block_size')::bigint > ${GROWTH} * c.relpages + ${LEAST_PAGES}
          or s.n_mod_since_analyze > ${LEAST_ROWS} + ${CHANGED}::float8 * s.n_live_tup)
      order by c.relname`;
    return rows.filter(({ name, pages }) => pages > GROWTH * (tried.get(name) ?? 0));
  }

  /** False when another server is at it. */
  async function analyse(name: string): Promise<boolean> {
    return pool.begin(async (sql) => {
      const [lease] = await sql<{ held: boolean }[]>`
        select pg_try_advisory_xact_lock(${lockKeys.statistics}::integer, hashtext(current_schema())) as held`;
      if (lease?.held !== true) return false;
      await sql.unsafe(`set local statement_timeout = ${MOST_MILLISECONDS}; set local lock_timeout = ${LOCK_MILLISECONDS};
        analyze "${name.replace(/"/g, '""')}"`);
      return true;
    });
  }

  return async () => {
    const done: string[] = [];
    for (const { name, pages } of await dueTables()) {
      try {
        if (!(await analyse(name))) break;
        done.push(name);
      } catch (error) {
        if (!NOT_NOW.has(codeOf(error))) throw error;
        if (codeOf(error) !== "57014") continue;
      }
      tried.set(name, pages);
    }
    return done;
  };
}
