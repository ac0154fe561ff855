// Why a sign-in with an identity provider was refused: a code for the login page, and for the log where it happened and why.
import { fail } from "../../../../kernel/failure.ts";

/** What the login page knows; docs/protocol/authentication.md#identity-providers has the texts. */
export type RefusalCode =
  | "unknown_idp"
  | "auth_failed"
  | "invalid_state"
  | "unsafe_return_url"
  | "oauth_error"
  | "no_oidc_support"
  | "missing_email_scope"
  | "email_in_use"
  | "sign_in_not_allowed";

/** Where on the way from the login page and back it happened. */
type SignInStep = "metadata" | "answer" | "state" | "code" | "id token" | "claims" | "groups" | "role" | "account";

export interface SignInRefusal {
  readonly code: RefusalCode;
  readonly step: SignInStep;
  /** For the log: no value of a claim, no token, no secret. */
  readonly cause: string;
  /** The provider's own message, shortened. */
  readonly providerError?: string | null;
  /** Names of the claims that came; never their values. */
  readonly claimNames?: readonly string[];
}

export class SignInRefused extends Error {
  override readonly name = "SignInRefused";
  constructor(readonly refusal: SignInRefusal) {
    super(refusal.cause);
  }
}

export function refusedSignIn(
  code: RefusalCode,
  step: SignInStep,
  cause: string,
  more: Partial<SignInRefusal> = {},
): SignInRefused {
  return new SignInRefused({ code, step, cause, ...more });
}

const MAX_SHOWN_CHARACTERS = 300;

/** The messages of an error and of what caused it; libraries keep the values apart from them. */
export function causesOf(error: unknown): string {
  const messages: string[] = [];
  for (let each = error; each instanceof Error && messages.length < 4; each = each.cause) messages.push(each.message);
  return shortForLog(messages.length === 0 ? "unknown" : messages.join(": "));
}

/** Text of another server, as a log line may hold it. */
export function shortForLog(text: string): string {
  const line = text.replace(/\p{Cc}+/gu, " ");
  return line.length > MAX_SHOWN_CHARACTERS ? `${line.slice(0, MAX_SHOWN_CHARACTERS)}…` : line;
}

/** What went wrong on the way to a provider; it ends in a refusal. */
export const providerAway = (problem: string, cause?: unknown) =>
  fail("auth.provider_away", "unavailable", problem, { cause });
/** What is wrong with what a provider sent. */
export const providerAnswerRefused = (problem: string) => fail("auth.provider_answer_refused", "invalid", problem);
export const assertionUnusable = (problem: string) => fail("auth.assertion_unusable", "unavailable", problem);
