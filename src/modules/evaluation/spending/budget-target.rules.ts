// Whom a budget is for, by global ids.
import { findRowId, globalId } from "../../../kernel/ids.ts";
import { SYSTEM_API_KEY, USER_API_KEY } from "../../accounts/api-keys/api-keys.schema.ts";
import { USER } from "../../accounts/users/users.schema.ts";
import { PROJECT } from "../../tracing/projects/projects.schema.ts";
import { budgetRefused } from "./spending.errors.ts";
import type { BudgetScope } from "./spending.schema.ts";

type Target = Exclude<BudgetScope, "server">;

interface SentTarget {
  /** As the sender calls it. */
  readonly member: string;
  readonly id: string | null | undefined;
}

const idTypes: Readonly<Record<Target, readonly string[]>> = {
  user: [USER],
  api_key: [USER_API_KEY, SYSTEM_API_KEY],
  project: [PROJECT],
};

/** The row id; null where none is sent. Throws kind `invalid` for an id of another scope, and for what is not an id of that type. */
export function budgetTargetId(scope: BudgetScope, sent: Readonly<Record<Target, SentTarget>>): number | null {
  let targetId: number | null = null;
  for (const [owner, { member, id }] of Object.entries(sent) as [Target, SentTarget][]) {
    if (id == null) continue;
    if (owner !== scope) throw budgetRefused(`${member}: a budget of that scope does not name it`);
    const found = idTypes[owner].map((type) => findRowId(type, id)).find((rowId) => rowId !== null);
    if (found == null) throw budgetRefused(`${member}: ${id} is not the id of one`);
    targetId = found;
  }
  return targetId;
}

/** Which keys are system keys: their row ids do not show it. */
export interface SystemKeys {
  has(id: number): boolean;
}

/** The global id of an account, key or project. */
export function ownerId(scope: BudgetScope, id: number, systemKeys: SystemKeys): string {
  switch (scope) {
    case "server":
      return String(id);
    case "user":
      return globalId(USER, id);
    case "api_key":
      return globalId(systemKeys.has(id) ? SYSTEM_API_KEY : USER_API_KEY, id);
    case "project":
      return globalId(PROJECT, id);
  }
}
