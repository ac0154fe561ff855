// The words between asking a directory, signing in by it, and the doctor.
import type { PersonRole } from "../../../../access/roles.ts";

/** Where in the conversation something happened, in this order. */
export type DirectoryStep =
  | "connect"
  | "starttls"
  | "search account"
  | "person"
  | "password"
  | "attributes"
  | "groups"
  | "role";

/** Why a user is refused, whatever other server is asked. */
export type DirectoryRefusal =
  | "not_found"
  /** More than one entry of one base answers to the name. */
  | "ambiguous"
  /** An entry without a name of its own: a password check against it would prove nothing. */
  | "entry_unusable"
  | "wrong_password"
  /** The name is known, and no server says whether the password is right. */
  | "password_unchecked"
  | "email_missing"
  | "unique_id_missing"
  | "no_role";

/** Counts, and names of attributes. Never a value of an entry, a password or the words of a server. */
export type DirectoryFacts = Readonly<Record<string, string | number>>;

/** A person whom the directory knows, with everything that a sign-in needs. */
export interface DirectoryPerson {
  readonly email: string | null;
  readonly uniqueId: string | null;
  readonly displayName: string | null;
  readonly role: PersonRole;
}

export type DirectoryAnswer =
  | { readonly kind: "known"; readonly person: DirectoryPerson }
  | {
      readonly kind: "refused";
      readonly step: DirectoryStep;
      readonly reason: DirectoryRefusal;
      readonly facts: DirectoryFacts;
    }
  /** No server could be asked. */
  | { readonly kind: "unavailable" };
