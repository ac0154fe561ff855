// Which database a file is: the number that SQLite keeps in the head of a file for the program that uses it. Copies carry it.
import { sql } from "kysely";
import type { CallContext, Storage } from "../storage.ts";

const HEX_DIGITS = 8;

/** The identity of the database as eight hexadecimal digits; a file that has none gets one, by chance. For SQLite. */
export async function ensureDatabaseIdentity(
  { handle }: Pick<Storage, "handle">,
  context: CallContext,
): Promise<string> {
  const database = handle.write(context);
  const number = async (query: ReturnType<typeof sql<{ readonly number: number }>>) =>
    Number((await query.execute(database)).rows[0]?.number);
  const known = sql<{ readonly number: number }>`select user_version as number from pragma_user_version`;
  if ((await number(known)) === 0) {
    const chosen = await number(sql`select abs(random() % 2147483647) + 1 as number`);
    await sql`pragma user_version = ${sql.lit(chosen)}`.execute(database);
  }
  return (await number(known)).toString(16).padStart(HEX_DIGITS, "0");
}
