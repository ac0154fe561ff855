// What can be wrong with a sign-in. Programs know the texts; none reveals whether an account exists.
import { fail } from "../../../kernel/failure.ts";

export const basicAuthDisabled = () => fail("auth.basic_auth_disabled", "forbidden", "Forbidden");
export const credentialsMissing = () =>
  fail("auth.credentials_missing", "unauthenticated", "Email and password required");
export const wrongCredentials = () =>
  fail("auth.wrong_credentials", "unauthenticated", "Invalid email and/or password");
export const directoryCredentialsMissing = () =>
  fail("auth.directory_credentials_missing", "unauthenticated", "Username and password required");
export const wrongDirectoryCredentials = () =>
  fail("auth.wrong_directory_credentials", "unauthenticated", "Invalid username and/or password");
export const directoryUnavailable = () =>
  fail("auth.directory_unavailable", "unavailable", "Authentication service unavailable");
export const lockedOut = (retryAfterSeconds: number) =>
  fail("auth.locked_out", "rate_limited", "Too many failed login attempts. Please try again later.", {
    retryAfterSeconds,
  });
export const tooManyRequests = (retryAfterSeconds: number) =>
  fail("auth.too_many_requests", "rate_limited", "Too Many Requests", { retryAfterSeconds });
export const bodyNotJson = () => fail("auth.body_not_json", "invalid", "Invalid JSON body");
export const contentNotJson = () =>
  fail("auth.content_not_json", "unsupported", "The header Content-Type must be application/json");

export const refreshTokenMissing = () => fail("auth.refresh_token_missing", "unauthenticated", "Missing refresh token");
export const refreshTokenInvalid = () => fail("auth.refresh_token_invalid", "unauthenticated", "Invalid refresh token");
export const refreshTokenExpired = () => fail("auth.refresh_token_expired", "unauthenticated", "Expired refresh token");

export const emailMissing = () => fail("auth.email_missing", "invalid", "Email required");
export const mailNotConfigured = () => fail("auth.mail_not_configured", "unavailable", "SMTP server not configured");
export const passwordMissing = () => fail("auth.password_missing", "invalid", "Password required");
export const resetTokenInvalid = () => fail("auth.reset_token_invalid", "unauthenticated", "Invalid token");
