// The one path from a verified identity to an account, for providers of OpenID Connect and for directories
// (docs/protocol/authentication.md#provisioning). Accounts are matched by their identity first and by address second; one that
// signs in in another way, or belongs to another user at the provider, is never taken over.
import { randomBytes, randomInt } from "node:crypto";
import type { Clock } from "../../../../kernel/clock.ts";
import type { Logger } from "../../../../kernel/logger.ts";
import { isDuplicate } from "../../../../storage/duplicate.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { IdentityChanges } from "../user-changes.store.ts";
import type { User } from "../users.schema.ts";
import type { UsersStore } from "../users.store.ts";
import { fitsIdentity, givenUsername, isStorableEmail } from "./account.rules.ts";
import { createAccountLog } from "./account-log.service.ts";
import type {
  DirectoryIdentity,
  ProviderIdentity,
  Provisioned,
  ProvisioningRefusal,
  ProvisioningRules,
  VerifiedIdentity,
} from "./identity.schema.ts";

interface ProvisioningDependencies {
  readonly store: UsersStore;
  /** From now on this server reads again what it knows of the account's tokens and keys. */
  readonly invalidate: (userId: number) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface ProvisioningService {
  /** Finds the account of the identity, or makes it where the rules allow, and brings address, picture and role up to date. Its
   *  sign-ins go on with the new role. Several servers may be asked at once. Never signs anybody in. */
  provision(context: CallContext, identity: VerifiedIdentity, rules: ProvisioningRules): Promise<Provisioned>;
}

/** Others may change the account, or take the name, between reading and writing. */
const ATTEMPTS = 5;

type Match = { readonly account: User } | { readonly refusal: ProvisioningRefusal } | null;

const refused = (reason: ProvisioningRefusal): Provisioned => ({ ok: false, reason });

export function createProvisioningService(dependencies: ProvisioningDependencies): ProvisioningService {
  const { store, invalidate, clock } = dependencies;
  const audit = createAccountLog(dependencies.log);

  const match = (context: CallContext, identity: VerifiedIdentity): Promise<Match> =>
    identity.method === "OAUTH2" ? matchProvider(context, identity) : matchDirectory(context, identity);

  async function matchProvider(context: CallContext, identity: ProviderIdentity): Promise<Match> {
    const { clientId: oauth2ClientId, subject: oauth2UserId, email } = identity;
    const known = await store.find(context, { oauth2ClientId, oauth2UserId });
    if (known !== null) return { account: known };
    const account = await store.find(context, { email });
    if (account === null) return null;
    if (account.authMethod !== "OAUTH2") return { refusal: "email_of_other_method" };
    if (differs(account.oauth2ClientId, oauth2ClientId)) return { refusal: "email_of_other_provider" };
    if (differs(account.oauth2UserId, oauth2UserId)) return { refusal: "email_of_other_identity" };
    return identity.isEmailVerified ? { account } : { refusal: "email_unverified" };
  }

  async function matchDirectory(context: CallContext, { uniqueId, email }: DirectoryIdentity): Promise<Match> {
    const known = uniqueId === null ? null : await store.find(context, { ldapUniqueId: uniqueId });
    if (known !== null) return { account: known };
    const account = email === null ? null : await store.find(context, { email });
    if (account === null) return null;
    if (account.authMethod !== "LDAP") return { refusal: "email_of_other_method" };
    if (uniqueId !== null && differs(account.ldapUniqueId?.toLowerCase() ?? null, uniqueId)) {
      return { refusal: "email_of_other_identity" };
    }
    return { account };
  }

  /** The account with what the identity says of it; null when it was changed meanwhile. */
  async function bringUpToDate(
    context: CallContext,
    account: User,
    identity: VerifiedIdentity,
    rules: ProvisioningRules,
  ): Promise<Provisioned | null> {
    const changes = changesOf(account, identity, rules);
    if (Object.keys(changes).length === 0) return { ok: true, account };
    let updated: User | null;
    try {
      updated = await store.updateUnchanged(context, account, { ...changes, nowUs: clock.now() });
    } catch (error) {
      if (isDuplicate(error)) return refused("email_taken");
      throw error;
    }
    if (updated === null) return null;
    if (changes.role !== undefined) {
      invalidate(account.id);
      audit(context, `role of a user changed to ${changes.role} by ${sourceOf(identity)}`, account.id);
    }
    if (changes.oauth2UserId !== undefined || changes.ldapUniqueId !== undefined) {
      audit(context, `user linked to an identity of ${sourceOf(identity)}`, account.id);
    }
    return { ok: true, account: updated };
  }

  /** Null when the name, the address or the identity was taken meanwhile. */
  async function make(
    context: CallContext,
    identity: VerifiedIdentity,
    { role }: ProvisioningRules,
  ): Promise<Provisioned | null> {
    const account = await store.insert(context, {
      role: role ?? "VIEWER",
      authMethod: identity.method,
      username: await freeUsername(context, identity),
      email: identity.email,
      passwordHash: null,
      passwordChange: "none",
      ...(identity.method === "OAUTH2"
        ? {
            oauth2ClientId: identity.clientId,
            oauth2UserId: identity.subject,
            profilePictureUrl: identity.pictureUrl,
          }
        : { ldapUniqueId: identity.uniqueId }),
      nowUs: clock.now(),
    });
    if (account === null) return null;
    audit(context, `user created at the first sign-in with ${sourceOf(identity)}`, account.id);
    return { ok: true, account };
  }

  async function freeUsername(context: CallContext, { method, names }: VerifiedIdentity): Promise<string> {
    const name = givenUsername(names);
    if ((await store.find(context, { username: name })) === null) return name;
    return method === "OAUTH2"
      ? `${name}-${randomInt(10_000, 100_000)}`
      : `${name} (${randomBytes(3).toString("hex")})`;
  }

  return {
    async provision(context, identity, rules) {
      if (!isUsable(identity)) return refused("identity_unusable");
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const found = await match(context, identity);
        if (found !== null && "refusal" in found) return refused(found.refusal);
        if (found === null && !rules.allowsSignUp) return refused("sign_up_off");
        const provisioned =
          found === null
            ? await make(context, identity, rules)
            : await bringUpToDate(context, found.account, identity, rules);
        if (provisioned !== null) return provisioned;
      }
      return refused("account_changing");
    },
  };
}

/** What the account must become; empty where nothing changes, so that most sign-ins write nothing here. */
function changesOf(account: User, identity: VerifiedIdentity, rules: ProvisioningRules): IdentityChanges {
  const { role, resynchronisesRole } = rules;
  return {
    ...(role !== null && resynchronisesRole && role !== account.role ? { role } : {}),
    ...(identity.email !== null && identity.email !== account.email ? { email: identity.email } : {}),
    ...(identity.method === "OAUTH2" ? providerChanges(account, identity) : directoryChanges(account, identity)),
  };
}

function providerChanges(account: User, { clientId, subject, pictureUrl }: ProviderIdentity): IdentityChanges {
  const isLinked = account.oauth2ClientId === clientId && account.oauth2UserId === subject;
  return {
    ...(isLinked ? {} : { oauth2ClientId: clientId, oauth2UserId: subject }),
    ...(pictureUrl === account.profilePictureUrl ? {} : { profilePictureUrl: pictureUrl }),
  };
}

function directoryChanges(account: User, { uniqueId }: DirectoryIdentity): IdentityChanges {
  return uniqueId === null || uniqueId === account.ldapUniqueId ? {} : { ldapUniqueId: uniqueId };
}

/** Whether the account has the value, and another one. */
function differs(stored: string | null, value: string): boolean {
  return stored !== null && stored !== value;
}

function isUsable(identity: VerifiedIdentity): boolean {
  const ids = identity.method === "OAUTH2" ? [identity.clientId, identity.subject] : [identity.uniqueId];
  if (!ids.every((id) => id === null || fitsIdentity(id))) return false;
  if (identity.email === null) return identity.method === "LDAP" && identity.uniqueId !== null;
  return isStorableEmail(identity.email);
}

function sourceOf({ method }: VerifiedIdentity): string {
  return method === "OAUTH2" ? "an identity provider" : "the directory";
}
