// What is done on a session of a pool while it is held: a transaction, or one statement.
import { fail } from "../../kernel/failure.ts";
import { isUnreachable } from "./failure.ts";
import type { PostgresSql } from "./session.ts";

export interface Lease {
  readonly sql: PostgresSql;
  /** Gives the session back; `broken` ends it instead: what runs on it may not have ended. */
  release(broken?: boolean): void;
}

type LeaseSession = () => Promise<Lease>;

/** Leaves a statement of the transaction to be answered later: the first that fails is the failure of the transaction. */
export type Send = (statement: Promise<unknown>) => void;

/** Commits when the work resolves, rolls back when it throws or a statement that it sent fails. The statements of `before` are sent
 *  on the session before the transaction begins. A session whose transaction may not have ended is not used again. */
export async function runTransaction<Result>(
  lease: LeaseSession,
  work: (sql: PostgresSql, send: Send) => Promise<Result>,
  before: (sql: PostgresSql) => Promise<void> = async () => {},
): Promise<Result> {
  const { sql, release } = await lease();
  const sent: Promise<unknown>[] = [];
  const send: Send = (statement) => {
    // It is looked at in the end.
    statement.catch(() => {});
    sent.push(statement);
  };
  let ended = false;
  try {
    send(before(sql));
    send(sql.unsafe(sql.begin));
    const result = await work(sql, send);
    // Of a transaction with a failed statement the server makes a rollback.
    await Promise.all([...sent, commit(sql)]);
    ended = true;
    return result;
  } catch (error) {
    // What came after the first failure failed for that.
    const first = (await Promise.allSettled(sent)).find((outcome) => outcome.status === "rejected");
    const reason = first === undefined ? error : first.reason;
    if (!isUnreachable(reason)) {
      ended = await sql.unsafe("rollback").then(
        () => true,
        () => false,
      );
    }
    throw reason;
  } finally {
    release(!ended);
  }
}

/** Sends the statements as one transaction, all at once, and waits for the answers. */
export async function sendTransaction<const Answers extends readonly Promise<unknown>[]>(
  sql: PostgresSql,
  statements: () => Answers,
) {
  const begun = sql.unsafe(sql.begin);
  const answers = statements();
  // What came after the first failure failed for that.
  const outcomes: readonly PromiseSettledResult<unknown>[] = await Promise.allSettled([begun, ...answers, commit(sql)]);
  const first = outcomes.find((outcome) => outcome.status === "rejected");
  if (first !== undefined) throw first.reason;
  return Promise.all(answers);
}

/** One statement, in a transaction of its own where nothing can be set for the session. */
export async function asTransaction<Result>(sql: PostgresSql, statement: () => Promise<Result>): Promise<Result> {
  if (!sql.isPooled) return statement();
  const [answer] = await sendTransaction(sql, () => [statement()]);
  return answer;
}

/** Commits. The library repeats a statement whose plan is gone, after all that was sent: by then outside of the transaction, which
 *  its first failure has rolled back. */
export async function commit(sql: PostgresSql): Promise<void> {
  const { command } = await sql.unsafe("commit");
  if (command !== "COMMIT")
    throw fail(
      "storage.rolled_back",
      "unavailable",
      "The database rolled the transaction back, because a statement that it had prepared has changed. If this repeats, a pooler of transactions is in the way: set SERVICE_POSTGRES_POOL_MODE=transaction",
      { retryAfterSeconds: 1 },
    );
}

export async function runStatement(lease: LeaseSession, text: TemplateStringsArray, parameters: readonly unknown[]) {
  const { sql, release } = await lease();
  let broken = false;
  try {
    return await asTransaction(sql, () => sql(text, ...parameters));
  } catch (error) {
    broken = isUnreachable(error);
    throw error;
  } finally {
    release(broken);
  }
}
