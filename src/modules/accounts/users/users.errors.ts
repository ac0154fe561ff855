// What can be wrong with accounts. Programs know these texts.
import { fail } from "../../../kernel/failure.ts";

export const passwordRefused = (problem: string) => fail("users.password_refused", "invalid", problem);
export const documentedPassword = () => passwordRefused("Password must not be the one that the documentation names");
export const passwordUnchanged = () => passwordRefused("Password must differ from the current one");
export const invalidEmail = () => fail("users.invalid_email", "invalid", "Invalid email address");
export const invalidUsername = (problem: string) => fail("users.invalid_username", "invalid", `Username ${problem}`);
export const nothingToChange = () => fail("users.nothing_to_change", "invalid", "At least one field must be set");

export const usernameTaken = () => fail("users.username_taken", "conflict", "Username already exists");
export const emailTaken = () => fail("users.email_taken", "conflict", "Email already exists");
export const accountConflict = () =>
  fail("users.conflict", "conflict", "Failed to create user due to a conflict with existing data");

export const passwordForeign = (method: "LDAP" | "OAUTH2") =>
  fail(
    "users.password_foreign",
    "invalid",
    `Password is not allowed for ${method === "LDAP" ? "LDAP" : "OAuth2"} authentication`,
  );
export const passwordRequired = () =>
  fail("users.password_required", "invalid", "Password is required for local authentication");
export const localAccountsDisabled = () =>
  fail("users.basic_auth_disabled", "forbidden", "Basic auth is disabled: OAuth2 authentication only");
export const systemRoleRefused = () => fail("users.system_role", "malformed", "Cannot create users with SYSTEM role");

export const userNotFound = () => fail("users.not_found", "not_found", "User not found");
/** The account behind a credential is gone. */
export const viewerGone = () => fail("users.viewer_gone", "unauthenticated", "User not found");
export const notAPerson = () => fail("users.not_a_person", "invalid", "Only a signed-in user can change a profile");
export const notOneself = () => fail("auth.admin_only", "forbidden", "Only admin can perform this action");

export const defaultAdminRole = () =>
  fail("users.default_admin_role", "invalid", "Cannot modify role for the default admin user");
export const ownRole = () => fail("users.own_role", "invalid", "Cannot modify own role");
export const systemUserProtected = () => fail("users.system_protected", "invalid", "Cannot modify the system user");
export const passwordNotLocal = () =>
  fail("users.password_not_local", "invalid", "Cannot modify password for non-local user");
export const currentPasswordRequired = () =>
  fail("users.current_password_required", "invalid", "current_password is required when modifying password");
export const currentPasswordWrong = () =>
  fail("users.current_password_wrong", "invalid", "Valid current password is required to modify password");

export const noUserIds = () => fail("users.no_ids", "invalid", "At least one user ID is required");
export const invalidUserId = (id: string) => fail("users.invalid_id", "invalid", `Invalid user ID: '${id}'`);
export const someUsersNotFound = () => fail("users.some_not_found", "not_found", "Some user IDs could not be found");
export const defaultAdminProtected = () =>
  fail("users.default_admin_protected", "conflict", "Cannot delete the default admin user");
/** REST protects an account that has one of the four reserved names and addresses. */
export const reservedUser = () => fail("users.reserved", "forbidden", "Cannot delete the default admin or system user");

export const invalidUserGlobalId = (id: string) =>
  fail("users.invalid_global_id", "invalid", `Invalid User GlobalID format: ${id}`);
export const invalidUsersCursor = (cursor: string) =>
  fail("users.invalid_cursor", "invalid", `Invalid cursor format: ${cursor}`);
