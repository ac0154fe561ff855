// What all settings share: the trail, the tabs of those that this person may open, and the word for those that they may not.
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { EmptyState, ForbiddenState } from "../../kit/States.tsx";
import { TabLinks } from "../../kit/Tabs.tsx";
import { linkTo } from "../../lib/links.ts";
import { start } from "../../lib/start.ts";
import { useRights } from "../../lib/viewer.ts";
import { Page } from "../../shell/Page.tsx";
import { text } from "../../texts/texts.ts";

/** `accounts`: administrators, and only where there are accounts. */
type Audience = "everybody" | "administrators" | "accounts";

const tabs = [
  { name: "generalSettings", label: "settings.general", audience: "everybody" },
  { name: "users", label: "settings.users", audience: "accounts" },
  { name: "apiKeys", label: "settings.keys", audience: "accounts" },
  { name: "secrets", label: "settings.secrets", audience: "administrators" },
] as const satisfies readonly { name: string; label: string; audience: Audience }[];

const trail = [{ label: text("settings.title"), to: linkTo("settings") }];

interface SettingsPageProps {
  readonly tab: (typeof tabs)[number]["name"];
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function SettingsPage({ tab, actions, children }: SettingsPageProps) {
  const [path] = useLocation();
  const administers = useAdministers();
  const current = tabs.find(({ name }) => name === tab) ?? tabs[0];
  const shown = tabs.filter(({ audience }) => mayOpen(audience, administers));
  return (
    <Page title={text(current.label)} trail={trail} actions={mayOpen(current.audience, administers) ? actions : null}>
      <TabLinks
        label={text("settings.title")}
        tabs={shown.map(({ name, label }) => ({
          to: linkTo(name),
          label: text(label),
          current: name === tab || (path === linkTo("settings") && name === "generalSettings"),
        }))}
      />
      <Opened audience={current.audience}>{children}</Opened>
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
