// The limit that ingestion is held against: the rows that the service has just stored, read back and inserted again, by bare
// statements into the same tables of another copy of the same database, with the same durability. Knows nothing of the
// service's own statements: columns come from the database.
import { Database, type SQLQueryBindings } from "bun:sqlite";
import postgres from "postgres";
import { openSqlite } from "../../src/storage/sqlite/connection.ts";
import { locationOf } from "../support/storage.ts";
import type { SpanSize } from "./spans.ts";

/** Rows a transaction: what the service gathers at most (2,000 spans, 8 MB). */
const ROWS: Readonly<Record<SpanSize, number>> = { small: 2000, page: 1200, llm: 600 };
/** Spans measured, at most: they are read ahead, so that reading costs no time of the measurement. */
const MOST_SPANS: Readonly<Record<SpanSize, number>> = { small: 200_000, page: 60_000, llm: 30_000 };
/** Stored as JSONB; handed over as text and converted by the database, as the service does it. */
const JSON_COLUMNS = new Set(["attributes", "events", "extra"]);
/** Tables in the order of their references, with the column that tells which rows are new. */
const PARENTS = ["projects", "sessions", "traces"] as const;
const POSTGRES_CONNECTIONS = 4;

export interface RawOutcome {
  /** How many were inserted. */
  readonly spans: number;
  readonly spansPerSecond: number;
}

/** Inserts into `into` what `from` has more. Both are copies of one database. */
export async function measureRaw(fromUrl: string, intoUrl: string, size: SpanSize): Promise<RawOutcome> {
  return fromUrl.startsWith("sqlite:") ? rawSqlite(fromUrl, intoUrl, size) : rawPostgres(fromUrl, intoUrl, size);
}

type Row = readonly SQLQueryBindings[];

function rawSqlite(fromUrl: string, intoUrl: string, size: SpanSize): RawOutcome {
  const location = locationOf(intoUrl);
  if (location.kind !== "sqlite") throw new Error(`${intoUrl} is no SQLite file`);
  const from = new Database(fromUrl.slice("sqlite:///".length), { readonly: true });
  // The pragmas of the service's writer; its checkpoints happen elsewhere, here SQLite makes them at the same size.
  const into = openSqlite(location, "writer");
  into.script("pragma wal_autocheckpoint = 8192");

  const columnsOf = (table: string) =>
    (from.query(`pragma table_info(${table})`).all() as { name: string }[]).map((column) => column.name);
  const selectAfter = (table: string, key: string, condition: string) => {
    const columns = columnsOf(table).map((name) => (JSON_COLUMNS.has(name) ? `json(${name})` : name));
    return from.query(`select ${columns.join(", ")} from ${table} where ${condition} order by ${key}`);
  };
  const inserter = (table: string) => {
    const columns = columnsOf(table);
    const values = columns.map((name) => (JSON_COLUMNS.has(name) ? "jsonb(?)" : "?"));
    return into.prepare(`insert into ${table} (${columns.join(", ")}) values (${values.join(", ")})`);
  };
  const newest = (table: string) =>
    Number((into.prepare(`select coalesce(max(id), 0) as id from ${table}`).get() as { id: number }).id);
  const parents = PARENTS.map((table) => ({
    select: selectAfter(table, "id", "id > ? and id <= ?"),
    insert: inserter(table),
    done: newest(table),
    /** The newest row that these spans need. */
    needed: from.query(
      table === "projects"
        ? "select max(project_id) as id from spans where id > ? and id <= ?"
        : table === "traces"
          ? "select max(trace_id) as id from spans where id > ? and id <= ?"
          : `select max(t.session_id) as id from spans s join traces t on t.id = s.trace_id where s.id > ? and s.id <= ?`,
    ),
  }));
  const [spans, payloads] = [
    selectAfter("spans", "id", "id > ? and id <= ?"),
    selectAfter("span_payloads", "span_id", "span_id > ? and span_id <= ?"),
  ];
  const [insertSpan, insertPayload] = [inserter("spans"), inserter("span_payloads")];

  let last = newest("spans");
  let inserted = 0;
  let elapsedMs = 0;
  while (inserted < MOST_SPANS[size]) {
    const until = last + ROWS[size];
    const chunk = spans.values(last, until) as Row[];
    if (chunk.length === 0) break;
    const payload = payloads.values(last, until) as Row[];
    const parentRows = parents.map((parent) => {
      const needed = Number((parent.needed.get(last, until) as { id: number | null }).id ?? 0);
      const rows = parent.select.values(parent.done, needed) as Row[];
      parent.done = Math.max(parent.done, needed);
      return rows;
    });
    const began = performance.now();
    into.execute("begin immediate");
    parentRows.forEach((rows, number) => {
      for (const row of rows) parents[number]!.insert.run(...row);
    });
    for (const row of chunk) insertSpan.run(...row);
    for (const row of payload) insertPayload.run(...row);
    into.execute("commit");
    elapsedMs += performance.now() - began;
    last = until;
    inserted += chunk.length;
  }
  into.close();
  from.close();
  return { spans: inserted, spansPerSecond: (inserted / elapsedMs) * 1000 };
}

interface PostgresColumn {
  readonly name: string;
  readonly type: string;
}

/** One statement for many rows: a column is an array. */
interface BulkInsert {
  readonly text: string;
  readonly columns: readonly (string | null)[][];
}

async function rawPostgres(fromUrl: string, intoUrl: string, size: SpanSize): Promise<RawOutcome> {
  const from = postgres(fromUrl, { max: 1, onnotice: () => {} });
  const into = postgres(intoUrl, { max: POSTGRES_CONNECTIONS, onnotice: () => {} });

  const columnsOf = async (table: string) =>
    (await from.unsafe(
      `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
       where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped order by attnum`,
    )) as unknown as PostgresColumn[];
  const newest = async (table: string) =>
    Number((await into.unsafe(`select coalesce(max(id), 0) as id from ${table}`))[0]?.id);
  const bulkInsert = async (table: string, condition: string): Promise<BulkInsert & { readonly rows: number }> => {
    const columns = await columnsOf(table);
    const selected = columns.map(({ name }) => `${name}::text`);
    const rows = await from.unsafe(`select ${selected.join(", ")} from ${table} where ${condition}`).values();
    const names = columns.map(({ name }) => name);
    const arrays = columns.map(({ type }, number) => `$${number + 1}::${type === "jsonb" ? "text" : type}[]`);
    const values = columns.map(({ name, type }) => (type === "jsonb" ? `${name}::jsonb` : name));
    return {
      text: `insert into ${table} (${names.join(", ")}) overriding system value
        select ${values.join(", ")} from unnest(${arrays.join(", ")}) as row (${names.join(", ")})`,
      columns: names.map((_, column) => rows.map((row) => (row as (string | null)[])[column] ?? null)),
      rows: rows.length,
    };
  };

  try {
    const parents: BulkInsert[] = [];
    for (const table of PARENTS) parents.push(await bulkInsert(table, `id > ${await newest(table)}`));
    const chunks: { readonly rows: number; readonly inserts: readonly BulkInsert[] }[] = [];
    let last = await newest("spans");
    let spans = 0;
    while (spans < MOST_SPANS[size]) {
      const until = last + ROWS[size];
      const rows = await bulkInsert("spans", `id > ${last} and id <= ${until}`);
      if (rows.rows === 0) break;
      const payloads = await bulkInsert("span_payloads", `span_id > ${last} and span_id <= ${until}`);
      chunks.push({ rows: rows.rows, inserts: [rows, payloads] });
      spans += rows.rows;
      last = until;
    }
    // All parents at once: the chunks run beside each other and could not wait for one another's.
    const began = performance.now();
    for (const parent of parents) await into.unsafe(parent.text, [...parent.columns]);
    await Promise.all(
      Array.from({ length: POSTGRES_CONNECTIONS }, async () => {
        for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) {
          const { inserts } = chunk;
          await into.begin(async (sql) => {
            for (const { text, columns } of inserts) await sql.unsafe(text, [...columns]);
          });
        }
      }),
    );
    return { spans, spansPerSecond: (spans / (performance.now() - began)) * 1000 };
  } finally {
    await from.end();
    await into.end();
  }
}
