// The lists of sessions.
import { type ListSpec, orderWord } from "../../../kernel/list.ts";
import { SESSION } from "./sessions.schema.ts";

/** What a list of a project can be sorted by for people; `arrival` is the order of row ids. */
export const shownSessionSorts = ["startTime", "endTime", "tokenCountTotal", "numTraces", "costTotal"] as const;
const sorts = ["arrival", ...shownSessionSorts] as const;
export type SessionSort = (typeof sorts)[number];

export const sessionList: ListSpec<SessionSort> = { type: SESSION, sorts, orderWord };
