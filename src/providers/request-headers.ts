// Headers that people add to requests: which of them may be sent.
import { fail } from "../kernel/failure.ts";

/** A token of RFC 9110. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Bytes that could end a header, or that no server takes. */
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/;
/** They belong to the connection, or say who asks. */
const NEVER =
  /^(host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|proxy-.*|forwarded|x-forwarded-.*|cookie|expect)$/;
const KEYS = new Set(["authorization", "x-api-key", "api-key", "x-goog-api-key"]);

interface HeaderRules {
  /** Whether headers with keys may be replaced: where the caller brings the key, or an administrator wrote the headers. */
  readonly allowsKeys: boolean;
}

/** The headers with names in lower case; entries with an empty value are left out. Throws kind `invalid` that names the header. */
export function requireSendableHeaders(headers: unknown, { allowsKeys }: HeaderRules): Record<string, string> {
  if (headers === null || headers === undefined) return {};
  if (typeof headers !== "object" || Array.isArray(headers))
    throw refused("headers must be an object of names and texts");
  const sendable: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const shown = `headers: ${JSON.stringify(name)}`;
    if (!NAME.test(name)) throw refused(`${shown} is not the name of a header`);
    if (typeof value !== "string") throw refused(`${shown} must have a text as its value`);
    if (CONTROL.test(value)) throw refused(`${shown} has a character that a header cannot have`);
    const key = name.toLowerCase();
    if (NEVER.test(key)) throw refused(`${shown} cannot be set`);
    if (KEYS.has(key) && !allowsKeys) throw refused(`${shown} can be set only with a key in the same request`);
    if (value.trim() !== "") sendable[key] = value;
  }
  return sendable;
}

const refused = (message: string) => fail("providers.header", "invalid", message);
