// Errors of API keys. Clients compare the texts; a key of another user is answered like a missing one.
import { fail } from "../../../kernel/failure.ts";

export const userKeyNotFound = () => fail("api_keys.not_found", "not_found", "API key not found");
export const systemKeyNotFound = () => fail("api_keys.system_not_found", "not_found", "System API key not found");
export const keyIdInvalid = (type: string, id: string) =>
  fail("api_keys.invalid_id", "invalid", `Invalid ${type} GlobalID format: ${id}`);
export const nameEmpty = () => fail("api_keys.name_empty", "invalid", "Name cannot be empty");
export const systemAccountMissing = () =>
  fail("api_keys.no_system_account", "internal", "There is no system account that could own a key");
export const ownerGone = () => fail("api_keys.owner_gone", "unauthenticated", "User not found");

const PAST = "Expiration time must be in the future";

/** As a violation of the body, which is what it is to the caller. */
export const expiryPast = (input: string) =>
  fail("api_keys.expiry_past", "invalid", PAST, {
    violations: [{ type: "value_error", loc: ["body", "data", "expires_at"], msg: PAST, input, ctx: { error: {} } }],
  });
