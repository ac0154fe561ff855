// The words for what an account may do, how its owner signs in, and whether it needs a new password: stored, signed and shown.

/** In the order of their global ids. */
export const userRoles = ["SYSTEM", "ADMIN", "MEMBER", "VIEWER"] as const;
export type UserRole = (typeof userRoles)[number];
/** Roles that a person can have. SYSTEM belongs to one account, which has no sign-in. */
export const personRoles = ["ADMIN", "MEMBER", "VIEWER"] as const satisfies readonly UserRole[];
export type PersonRole = (typeof personRoles)[number];

export const authMethods = ["LOCAL", "OAUTH2", "LDAP"] as const;
export type AuthMethod = (typeof authMethods)[number];

/** Whether an account must get a new password: `asked` by the pages only; `required` also by the server,
 *  which refuses a sign-in by password everything else until there is one. */
export type PasswordChange = "none" | "asked" | "required";
