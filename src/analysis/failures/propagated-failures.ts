// Which failed spans of a trace only pass on what failed below them.
import type { SpanFailure } from "./span-failure.ts";

interface FailedSpan {
  readonly spanKey: string;
  readonly parentKey: string | null;
  readonly failure: SpanFailure;
}

/** For each failed span that passes a failure on, the one below that it is from: its direct child with the same exception, or what that
 *  child passes on. Of several children the first one of the list. Parents that did not fail end the way. */
export function propagatedFailures(failed: readonly FailedSpan[]): ReadonlyMap<string, string> {
  const byKey = new Map(failed.map((each) => [each.spanKey, each]));
  const cause = new Map<string, string>();
  for (const each of failed) {
    const parent = each.parentKey === null ? undefined : byKey.get(each.parentKey);
    if (parent === undefined || parent === each || cause.has(parent.spanKey)) continue;
    if (isSameException(parent.failure, each.failure)) cause.set(parent.spanKey, each.spanKey);
  }
  const origins = new Map<string, string>();
  for (const spanKey of cause.keys()) origins.set(spanKey, originOf(spanKey, cause));
  return origins;
}

function originOf(spanKey: string, cause: ReadonlyMap<string, string>): string {
  const passed = new Set([spanKey]);
  let origin = cause.get(spanKey)!;
  for (let next = cause.get(origin); next !== undefined && !passed.has(origin); next = cause.get(origin)) {
    passed.add(origin);
    origin = next;
  }
  return origin;
}

/** The type may be written with its module or without. */
function isSameException(one: SpanFailure, other: SpanFailure): boolean {
  const nameOf = (type: string | null) => type?.slice(type.lastIndexOf(".") + 1);
  return (
    one.kind === "error" &&
    other.kind === "error" &&
    nameOf(one.type) === nameOf(other.type) &&
    one.message === other.message
  );
}
