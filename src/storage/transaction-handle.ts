// The handle of a context inside a transaction: every statement, reads too, runs on the transaction.
import type { Transaction } from "kysely";
import type { DatabaseHandle } from "./storage.ts";
import type { Tables } from "./tables.ts";

export function transactionHandle(transaction: Transaction<Tables>): DatabaseHandle {
  return { transaction, read: () => transaction, write: () => transaction };
}
