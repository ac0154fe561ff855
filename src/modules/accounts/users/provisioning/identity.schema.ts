// Who an identity provider or a directory says has signed in, and what becomes of the account: the words between the ways of signing
// in (which check the identity first) and provisioning (which finds or makes the account).
import type { PersonRole } from "../../../../access/roles.ts";
import type { User } from "../users.schema.ts";

/** What a provider of OpenID Connect vouches for. */
export interface ProviderIdentity {
  readonly method: "OAUTH2";
  /** CLIENT_ID of the provider; with the subject it names one person for ever. */
  readonly clientId: string;
  readonly subject: string;
  /** As `normalisedEmail` writes it, never empty. */
  readonly email: string;
  /** False only when the provider says so: then the address leads to no account that exists already. */
  readonly isEmailVerified: boolean;
  /** What a new account may be called, best first. */
  readonly names: readonly string[];
  /** Null takes the picture of the account away. */
  readonly pictureUrl: string | null;
}

/** What a directory vouches for. */
export interface DirectoryIdentity {
  readonly method: "LDAP";
  /** The immutable id in lower case; null where none is configured: then the address is the identity. */
  readonly uniqueId: string | null;
  /** As `normalisedEmail` writes it; null for a directory without addresses, which needs a unique id. */
  readonly email: string | null;
  /** What a new account may be called, best first: the display name, the name of the login. */
  readonly names: readonly string[];
}

export type VerifiedIdentity = ProviderIdentity | DirectoryIdentity;

/** What the settings of the provider or directory say about accounts. */
export interface ProvisioningRules {
  /** Whether an unknown user gets an account. */
  readonly allowsSignUp: boolean;
  /** Null where roles are not mapped: new accounts are viewers, others keep theirs. */
  readonly role: PersonRole | null;
  /** False: only new accounts get the role. */
  readonly resynchronisesRole: boolean;
}

/** Why a sign-in was refused, for the log; what the caller is shown depends on the way of signing in. */
export type ProvisioningRefusal =
  /** Unknown, and unknown users get no account. */
  | "sign_up_off"
  /** The address belongs to an account that signs in in another way. */
  | "email_of_other_method"
  /** The address belongs to an account of another provider. */
  | "email_of_other_provider"
  /** The address belongs to another person of this provider or directory: it was given again. */
  | "email_of_other_identity"
  /** The address would lead to an account, but the provider says that it is not verified. */
  | "email_unverified"
  /** A new address of a known person belongs to another account. */
  | "email_taken"
  /** An id or address that is too long to be stored, or that no database can hold. */
  | "identity_unusable"
  /** Others changed the account again and again; trying once more may succeed. */
  | "account_changing";

export type Provisioned =
  | { readonly ok: true; readonly account: User }
  | { readonly ok: false; readonly reason: ProvisioningRefusal };
