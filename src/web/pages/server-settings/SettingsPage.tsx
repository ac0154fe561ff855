// What all settings share: the trail, the tabs of those that this person may open, and the word for those that they may not.
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { declaredPages, type SettingsTab } from "../../declared-pages.ts";
import { EmptyState, ForbiddenState } from "../../kit/States.tsx";
import { TabLinks } from "../../kit/Tabs.tsx";
import { linkTo } from "../../lib/links.ts";
import { start } from "../../lib/start.ts";
import { trailPart } from "../../shell/navigation.ts";
import { Page } from "../../shell/Page.tsx";
import { settingsTabLabel, useSettingsTabs } from "../../shell/settings-tabs.ts";
import { text } from "../../texts/texts.ts";

const trail = [trailPart("settings")];

interface SettingsPageProps {
  readonly tab: SettingsTab;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function SettingsPage({ tab, actions, children }: SettingsPageProps) {
  const [path] = useLocation();
  const tabs = useSettingsTabs();
  const mayOpen = tabs.includes(tab);
  return (
    <Page title={settingsTabLabel(tab)} trail={trail} actions={mayOpen ? actions : null}>
      <TabLinks
        label={text("settings.title")}
        tabs={tabs.map((each) => ({
          to: linkTo(each),
          label: settingsTabLabel(each),
          current: each === tab || (path === linkTo("settings") && each === "generalSettings"),
        }))}
      />
      {mayOpen ? children : <Closed tab={tab} />}
    </Page>
  );
}

function Closed({ tab }: { readonly tab: SettingsTab }) {
  if (declaredPages[tab].settingsTab === "accounts" && !start.authenticationEnabled) {
    return (
      <EmptyState title={text("settings.off.title")}>
        <p>{text("settings.off")}</p>
      </EmptyState>
    );
  }
  return <ForbiddenState message={text("settings.forbidden")} />;
}
