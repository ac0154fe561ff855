// What the claims of a provider say about a person: address, name, groups, role. A path that cannot be evaluated, or finds nothing,
// counts as a claim that is absent.
import type { PersonRole } from "../../../../access/roles.ts";
import type { IdentityProviderConfig } from "../../../../config/identity-providers.ts";
import type { JmesPath } from "../../../../kernel/jmespath.ts";
import { normalisedEmail } from "../../users/users.schema.ts";
import { causesOf } from "./openid.errors.ts";

export type Claims = Readonly<Record<string, unknown>>;
/** Hears of a path that could not be evaluated. */
export type Warn = (message: string) => void;

/** Those of the ID token, filled up from the other source; what the ID token says counts, unless it is null. */
export function mergedClaims(idToken: Claims, userInfo: Claims): Claims {
  const present = Object.entries(idToken).filter(([, value]) => value !== null && value !== undefined);
  return { ...userInfo, ...Object.fromEntries(present) };
}

/** Normalised; null when there is none. */
export function emailIn(claims: Claims, { emailPath }: Pick<IdentityProviderConfig, "emailPath">, warn: Warn) {
  const found = search(emailPath, claims, warn);
  return typeof found === "string" && found.trim() !== "" ? normalisedEmail(found) : null;
}

/** False only when the provider says so; some say it as text. */
export function isEmailVerified({ email_verified: verified }: Claims): boolean {
  return !(verified === false || (typeof verified === "string" && verified.toLowerCase() === "false"));
}

/** The values of the path as texts. */
export function groupsIn(claims: Claims, path: JmesPath, warn: Warn): string[] {
  const found = search(path, filled(claims), warn);
  return (Array.isArray(found) ? found : [found]).map(textOf).filter((group) => group !== null);
}

/** The value that a role is made of; null when there is none. */
export function roleValueIn(claims: Claims, path: JmesPath, warn: Warn): string | null {
  const found = search(path, filled(claims), warn);
  const first: unknown = Array.isArray(found) ? found[0] : found;
  return textOf(first)?.trim() || null;
}

/** The role for a value; null where it gives none, which `strict` makes a refusal and anything else VIEWER. */
export function mappedRole(
  value: string | null,
  { mapping }: Pick<NonNullable<IdentityProviderConfig["role"]>, "mapping">,
): PersonRole | null {
  if (value === null) return null;
  if (mapping !== null) return mapping.get(value) ?? null;
  const word = value.toUpperCase();
  return word === "ADMIN" || word === "MEMBER" || word === "VIEWER" ? word : null;
}

const LONGEST_PICTURE = 2048;

/** The address of a picture that a page may show. */
export function pictureIn({ picture }: Claims): string | null {
  if (typeof picture !== "string" || picture.length > LONGEST_PICTURE) return null;
  const url = URL.parse(picture);
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : null;
}

/** Without claims that say nothing: null, blank, empty. */
function filled(claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => saysSomething(value)));
}

function saysSomething(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (typeof value === "string") return value.trim() !== "";
  return typeof value !== "object" || Object.keys(value).length > 0;
}

function search(path: JmesPath, claims: Claims, warn: Warn): unknown {
  try {
    return path.search(claims);
  } catch (error) {
    warn(`the path ${path.text} could not be evaluated, which counts as a claim that is absent: ${causesOf(error)}`);
    return null;
  }
}

/** Truth values are written as Python writes them: settings of other servers name them so. */
function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  return null;
}
