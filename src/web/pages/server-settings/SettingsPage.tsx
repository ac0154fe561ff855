// What all settings share: the trail, the tabs of those that this person may open, and the word for those that they may not.
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { addresses, type PageName } from "../../addresses.ts";
import { EmptyState, ForbiddenState } from "../../kit/States.tsx";
import { TabLinks } from "../../kit/Tabs.tsx";
import { linkTo } from "../../lib/links.ts";
import { start } from "../../lib/start.ts";
import { useRights } from "../../lib/viewer.ts";
import { Page } from "../../shell/Page.tsx";
import { text } from "../../texts/texts.ts";

/** `accounts`: administrators, and only where there are accounts. */
type Audience = "everybody" | "administrators" | "accounts";

type Tab = { [Name in PageName]: (typeof addresses)[Name] extends `/settings/${string}` ? Name : never }[PageName];

/** Every page below the settings, in the order of their addresses; `settings.tab.…` is its label. */
const tabs = (Object.keys(addresses) as PageName[]).filter((name): name is Tab =>
  addresses[name].startsWith("/settings/"),
);
const labelOf = (tab: Tab) => text(`settings.tab.${tab}`);

/** Of the others: everybody. */
const audiences: Partial<Readonly<Record<Tab, Audience>>> = {
  users: "accounts",
  apiKeys: "accounts",
  secrets: "administrators",
};
const audienceOf = (tab: Tab): Audience => audiences[tab] ?? "everybody";

const trail = [{ label: text("settings.title"), to: linkTo("settings") }];

interface SettingsPageProps {
  readonly tab: Tab;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function SettingsPage({ tab, actions, children }: SettingsPageProps) {
  const [path] = useLocation();
  const administers = useAdministers();
  const audience = audienceOf(tab);
  const shown = tabs.filter((each) => mayOpen(audienceOf(each), administers));
  return (
    <Page title={labelOf(tab)} trail={trail} actions={mayOpen(audience, administers) ? actions : null}>
      <TabLinks
        label={text("settings.title")}
        tabs={shown.map((each) => ({
          to: linkTo(each),
          label: labelOf(each),
          current: each === tab || (path === linkTo("settings") && each === "generalSettings"),
        }))}
      />
      <Opened audience={audience}>{children}</Opened>
    </Page>
  );
}

/** Reading is not changing: read-only mode hides nothing. */
function useAdministers(): boolean {
  const { isAdministrator } = useRights();
  return isAdministrator;
}

function mayOpen(audience: Audience, administers: boolean): boolean {
  if (audience === "everybody") return true;
  return administers && (audience === "administrators" || start.authenticationEnabled);
}

function Opened({ audience, children }: { readonly audience: Audience; readonly children: ReactNode }) {
  const administers = useAdministers();
  if (mayOpen(audience, administers)) return children;
  if (audience === "accounts" && !start.authenticationEnabled) {
    return (
      <EmptyState title={text("settings.off.title")}>
        <p>{text("settings.off")}</p>
      </EmptyState>
    );
  }
  return <ForbiddenState message={text("settings.forbidden")} />;
}
