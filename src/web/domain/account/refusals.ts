// Refusals of the server that belong to the field of a new password, which every form shows below it.

export interface Refusals {
  /** What is wrong with the new password. */
  readonly newPassword: string | null;
  /** What is wrong with anything else. */
  readonly other: string | null;
}

/** As the server words them, in every way of giving a password. */
const ABOUT_PASSWORD = /^Password (?:must|at least) /;

export function aboutNewPassword(refusal: string | null): Refusals {
  return refusal !== null && ABOUT_PASSWORD.test(refusal)
    ? { newPassword: refusal, other: null }
    : { newPassword: null, other: refusal };
}
