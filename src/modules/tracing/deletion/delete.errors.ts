// What can be wrong with a deletion.
import { fail } from "../../../kernel/failure.ts";
import { globalId } from "../../../kernel/ids.ts";

export const spanGone = (id: number) =>
  fail("spans.not_found", "not_found", `No span has the identifier ${globalId("Span", id)}`);

export const emptyPeriod = () =>
  fail("traces.empty_period", "invalid", "`start_time` must be strictly earlier than `end_time`.");

export const sessionKeepsFilling = (id: number) =>
  fail(
    "sessions.keeps_filling",
    "unavailable",
    `Session ${globalId("ProjectSession", id)} still receives traces; repeat the deletion`,
  );
