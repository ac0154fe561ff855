// What the claims of a provider make of a person by its settings: who it is, whether they are let in, and with what role.
import type { IdentityProviderConfig } from "../../../../config/identity-providers.ts";
import type {
  ProviderIdentity,
  ProvisioningRefusal,
  ProvisioningRules,
} from "../../users/provisioning/identity.schema.ts";
import {
  type Claims,
  emailIn,
  groupsIn,
  isEmailVerified,
  mappedRole,
  pictureIn,
  roleValueIn,
  type Warn,
} from "./claims.rules.ts";
import { type RefusalCode, refusedSignIn, type SignInRefused } from "./openid.errors.ts";

/** Throws SignInRefused for who is not let in. */
export function personOf(
  claims: Claims,
  config: IdentityProviderConfig,
  warn: Warn,
): { readonly identity: ProviderIdentity; readonly rules: ProvisioningRules } {
  const claimNames = Object.keys(claims);
  const subject = typeof claims.sub === "string" ? claims.sub.trim() : "";
  const email = emailIn(claims, config, warn);
  if (subject === "" || email === null) {
    const missing = subject === "" ? "subject" : `e-mail address at ${config.emailPath.text}`;
    throw refusedSignIn("missing_email_scope", "claims", `the claims have no ${missing}`, { claimNames });
  }
  return {
    identity: {
      method: "OAUTH2",
      clientId: config.clientId,
      subject,
      email,
      isEmailVerified: isEmailVerified(claims),
      names: [claims.name, email.split("@", 1)[0]].filter((name) => typeof name === "string"),
      pictureUrl: pictureIn(claims),
    },
    rules: {
      allowsSignUp: config.allowsSignUp,
      role: allowedRole(claims, config, warn),
      resynchronisesRole: config.role?.resynchronised ?? true,
    },
  };
}

/** Who is in no allowed group, and, in strict mode, has no role, is refused. Null where roles are not mapped. */
function allowedRole(claims: Claims, { groups, role }: IdentityProviderConfig, warn: Warn): ProvisioningRules["role"] {
  const claimNames = Object.keys(claims);
  if (groups !== null) {
    const given = groupsIn(claims, groups.path, warn);
    if (!given.some((group) => groups.allowed.has(group))) {
      const cause = `none of ${given.length} groups at ${groups.path.text} is allowed`;
      throw refusedSignIn("auth_failed", "groups", cause, { claimNames });
    }
  }
  if (role === null) return null;
  const value = roleValueIn(claims, role.path, warn);
  const mapped = mappedRole(value, role);
  if (mapped === null && role.strict) {
    const cause = `${value === null ? "no value" : "a value that is no role"} at ${role.path.text}`;
    throw refusedSignIn("auth_failed", "role", cause, { claimNames });
  }
  return mapped ?? "VIEWER";
}

export function accountRefused(
  reason: ProvisioningRefusal,
  config: IdentityProviderConfig,
  claimNames: readonly string[],
): SignInRefused {
  return refusedSignIn(codeOf(reason, config), "account", reason, { claimNames });
}

/** What the person may know of it. */
function codeOf(reason: ProvisioningRefusal, { allowsSignUp }: IdentityProviderConfig): RefusalCode {
  switch (reason) {
    case "sign_up_off":
      return "sign_in_not_allowed";
    case "email_taken":
      return "email_in_use";
    case "identity_unusable":
    case "account_changing":
      return "auth_failed";
    default:
      return allowsSignUp ? "email_in_use" : "sign_in_not_allowed";
  }
}
