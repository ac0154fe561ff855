// What pages declare beside themselves: addresses, places in menus, texts, and what refreshes them. The server reads the declarations
// too, so they are plain data; the script of a page is named in them and loaded by browsers only.
import type { ComponentType } from "react";

/** A text, or its forms by `{count}`. */
type Text = string | { readonly one: string; readonly other: string };

/** `accounts`: administrators, and only where there are accounts. */
export type Audience = "everybody" | "administrators" | "accounts";

/** What the file of a page exports. Its `import()` states this as its type: the page itself uses the types of all declarations. */
export type PageScript = Promise<{ readonly default: ComponentType }>;

export interface DeclaredPage {
  /** Below the root path, with `{names}`; the literal before the general one. Programs print and store it: it never changes. */
  readonly path: `/${string}`;
  /** Absent for redirects, whose components `pages/pages.ts` names. Pages with the same one keep their state when one leads to the other. */
  readonly load?: () => PageScript;
  /** Without the shell, and never led to the login. */
  readonly isPublic?: true;
  readonly sidebar?: SidebarPlace;
  /** A tab of every project, labelled by the text `explorer.tab.NAME`. A project may open with those that can be pinned. */
  readonly projectTab?: "pinned" | "plain";
  /** A tab of the settings, labelled by the text `settings.tab.NAME`, and who may open it. */
  readonly settingsTab?: Audience;
}

export interface SidebarPlace {
  /** The key of its text. `shell/navigation.ts` has its icon. */
  readonly label: string;
  /** Stands at the lower end. */
  readonly below?: boolean;
  /** Which number of `NavigationCounts` stands beside it. */
  readonly count?: "projectCount" | "datasetCount" | "promptCount";
}

export interface PageDeclaration {
  readonly pages: Readonly<Record<string, DeclaredPage>>;
  readonly texts?: Readonly<Record<string, Text>>;
  /** Things that changes name, each with the fields and types by which queries that show it are known, beside its own field of Query. */
  readonly entities?: Readonly<Record<string, readonly string[]>>;
}
