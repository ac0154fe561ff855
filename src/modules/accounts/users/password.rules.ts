// What a password must look like, and hashes of random passwords.
import { randomBytes } from "node:crypto";
import { type CredentialRules, credentialProblem } from "../../../kernel/credential-rules.ts";
import { documentedPassword, passwordRefused } from "./users.errors.ts";

export interface PasswordPolicy {
  /** Throws kind `invalid` that says what is missing; never repeats the password. */
  requireAcceptable(password: string): void;
}

const plain: CredentialRules = { minimumLength: 4, classes: [] };
const strong: CredentialRules = { minimumLength: 12, classes: ["digit", "lower", "upper", "special"] };

/** The password that the documentation names: it is public, so it cannot be chosen. */
export const DOCUMENTED_PASSWORD = "admin";

/** `strong` is SERVICE_ENABLE_STRONG_PASSWORD_POLICY. */
export function passwordRules(options: { readonly strong: boolean }): CredentialRules {
  return options.strong ? strong : plain;
}

export function passwordPolicy(options: { readonly strong: boolean }): PasswordPolicy {
  const rules = passwordRules(options);
  return {
    requireAcceptable(password) {
      const problem = credentialProblem("Password", password, rules);
      if (problem !== null) throw passwordRefused(problem);
      if (password === DOCUMENTED_PASSWORD) throw documentedPassword();
    },
  };
}

/** What a hash costs; written into it. */
export interface HashCost {
  /** KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
}

/** Argon2id with the least memory that OWASP recommends (19 MiB), so that a few sign-ins at once fit a small machine. */
export const HASH_COST: HashCost = { memoryCost: 19_456, timeCost: 2 };

const prefixOf = ({ memoryCost, timeCost }: HashCost) => `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$`;

/** Whether a hash costs as much as this. */
export function hasCost(hash: string, cost: HashCost): boolean {
  return hash.startsWith(prefixOf(cost));
}

const base64 = () => randomBytes(32).toString("base64").replace(/=+$/, "");

/** Matches no password but costs the same to verify: for accounts without a password. */
export function unknowablePasswordHash(cost: HashCost = HASH_COST): string {
  return `${prefixOf(cost)}${base64()}$${base64()}`;
}

/** In place of a hash: the password of the account is hashed by the first start with authentication on. No password matches it. */
export const PENDING_PASSWORD = "$pending$";

const UPPER = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const LOWER = "abcdefghijkmnopqrstuvwxyz";
const DIGITS = "23456789";
const SPECIAL = "!@#$%^&*()_+";
const GENERATED_CHARACTERS = 20;

/** A password for a person to read and type, which every policy accepts: 20 characters, none easily mistaken for another. */
export function generatePassword(): string {
  const all = UPPER + LOWER + DIGITS;
  const characters = [UPPER, LOWER, DIGITS, SPECIAL].map(anyOf);
  while (characters.length < GENERATED_CHARACTERS) characters.push(anyOf(all));
  for (let at = characters.length - 1; at > 0; at--) {
    const other = below(at + 1);
    [characters[at], characters[other]] = [characters[other]!, characters[at]!];
  }
  return characters.join("");
}

function anyOf(characters: string): string {
  return characters[below(characters.length)]!;
}

/** Equally likely numbers from 0 to `limit - 1`, which is at most 256. */
function below(limit: number): number {
  const largest = 256 - (256 % limit);
  for (;;) {
    const [value = 0] = randomBytes(1);
    if (value < largest) return value % limit;
  }
}
