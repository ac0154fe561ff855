// What the server hands to the page, as JSON inside it. Nothing secret: everybody who can reach the server can read it.
import type { ModelProvider } from "../model/prompt.ts";

export interface StartConfiguration {
  /** SERVICE_HOST_ROOT_PATH: empty, or `/sub` without a slash at the end. */
  readonly basePath: string;
  readonly version: string;
  /** Names the files of the pages: a server with another name has other files, and those of this page are gone. */
  readonly build: string;
  /** For libraries that must add style sheets at run time. */
  readonly styleNonce: string;
  readonly supportEmail: string | null;
  readonly readOnly: boolean;
  /** False: there are no accounts, and everybody may do everything. */
  readonly authenticationEnabled: boolean;
  /** What the pages of a sign-in offer; null while authentication is off. */
  readonly signIn: SignInOffers | null;
  /** SERVICE_MANAGEMENT_URL, linked for viewers who are management users. */
  readonly managementUrl: string | null;
  /** SERVICE_ALLOWED_PROVIDERS: those that are offered; null for all. */
  readonly offeredProviders: readonly ModelProvider[] | null;
}

export interface SignInOffers {
  /** Identity providers, each with its button. */
  readonly providers: readonly { readonly name: string; readonly displayName: string }[];
  /** The one that the server leads to from the login page; null for none. */
  readonly autoLogin: string | null;
  /** Signing in with an e-mail address and a password. */
  readonly password: boolean;
  /** Signing in with a name and a password of a directory. */
  readonly directory: boolean;
  /** Making accounts for people of the directory, whose address leads them there. */
  readonly directoryAccounts: boolean;
  /** Asking for a mail with a link to a new password. */
  readonly passwordReset: boolean;
  /** What a new password must have; the server decides all the same. */
  readonly passwordRules: {
    readonly minimumLength: number;
    readonly classes: readonly ("digit" | "lower" | "upper" | "special")[];
  };
}

/** The file below `assets/` in which a server tells its build. */
export const BUILD_FILE = "build.json";

export interface ServedBuild {
  readonly build: string;
}

/** Id of the element that holds it. */
export const START_ELEMENT = "start";
