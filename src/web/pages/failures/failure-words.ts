// What a failure group is called, and what its state says.
import { textsOf } from "../../texts/texts.ts";
import { failureTexts } from "./failures.late-texts.ts";
import type { ListedGroup } from "./failures.queries.ts";

const text = textsOf(failureTexts);

type Named = Pick<ListedGroup, "kind" | "type" | "code" | "httpStatus" | "toolName" | "spanName">;

/** `ReadTimeout in lookup_order`. */
export function titleOf({ kind, type, code, httpStatus, toolName, spanName }: Named): string {
  const of = kind === "ERROR" ? (type ?? code ?? (httpStatus === null ? null : `HTTP ${httpStatus}`)) : null;
  const what = of ?? text(`failures.kind.${kind}`);
  const where = toolName ?? spanName;
  return where === null ? what : text("failures.in", { what, where });
}

type Stated = Pick<ListedGroup, "state" | "isNew" | "resolvedVersion">;

/** Null of what is open, and was known before. */
export function badgeOf({ state, isNew, resolvedVersion }: Stated) {
  if (state === "REOPENED") {
    const after = resolvedVersion === null ? "" : ` ${text("failures.after", { version: resolvedVersion })}`;
    return { tone: "error", words: text("failures.badge.REOPENED") + after } as const;
  }
  if (state === "OPEN") return isNew ? ({ tone: "accent", words: text("failures.badge.new") } as const) : null;
  const version = state === "RESOLVED" && resolvedVersion !== null ? ` ${resolvedVersion}` : "";
  return { tone: state === "RESOLVED" ? "ok" : "neutral", words: text(`failures.badge.${state}`) + version } as const;
}

/** Reopened and new groups stand above the others; each kind stays in its order. */
export function mostPressing<Group extends Stated>(groups: readonly Group[]): readonly Group[] {
  const rank = ({ state, isNew }: Group) => (state === "REOPENED" ? 0 : state === "OPEN" && isNew ? 1 : 2);
  return groups.toSorted((one, other) => rank(one) - rank(other));
}
