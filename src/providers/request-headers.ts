// Validates the headers that users add to requests.
import { fail } from "../kernel/failure.ts";

/** A token of RFC 9110. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Characters that could end a header, or are not allowed in one. */
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/;
/** Headers of the connection, and those that identify the sender. */
const NEVER =
  /^(host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|proxy-.*|forwarded|x-forwarded-.*|cookie|expect)$/;
const KEYS = new Set(["authorization", "x-api-key", "api-key", "x-goog-api-key"]);

interface HeaderRules {
  /** Whether headers with keys are allowed: if the key came with the request, or if an administrator configured them. */
  readonly allowsKeys: boolean;
}

/** The headers with lower-case names, without empty values. Throws kind `invalid` that names the header. */
export function requireSendableHeaders(headers: unknown, { allowsKeys }: HeaderRules): Record<string, string> {
  if (headers === null || headers === undefined) return {};
  if (typeof headers !== "object" || Array.isArray(headers)) throw refused("headers must be an object of strings");
  const sendable: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const shown = `headers: ${JSON.stringify(name)}`;
    if (!NAME.test(name)) throw refused(`${shown} is not a valid header name`);
    if (typeof value !== "string") throw refused(`${shown} must have a string as its value`);
    if (CONTROL.test(value)) throw refused(`${shown} contains a character that is not allowed in headers`);
    const key = name.toLowerCase();
    if (NEVER.test(key)) throw refused(`${shown} cannot be set`);
    if (KEYS.has(key) && !allowsKeys) throw refused(`${shown} can be set only with a key in the same request`);
    if (value.trim() !== "") sendable[key] = value;
  }
  return sendable;
}

const refused = (message: string) => fail("providers.header", "invalid", message);
