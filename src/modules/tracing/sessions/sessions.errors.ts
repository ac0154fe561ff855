// What can be wrong with sessions and with what is asked of their lists.
import { fail } from "../../../kernel/failure.ts";

export const sessionNotFound = (identifier: string) =>
  fail("sessions.not_found", "not_found", `No session has the identifier ${identifier}`);

export const noSessionsNamed = () =>
  fail("sessions.none_named", "invalid", "session_identifiers must name at least one session");

export const mixedSessionIdentifiers = () =>
  fail("sessions.mixed_identifiers", "invalid", "session_identifiers must be either all global ids or all session ids");
