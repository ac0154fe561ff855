// The tabs of the settings, and who may open them: where the pages themselves and the palette read it.
import { declaredPages, type SettingsTab, settingsTabs } from "../declared-pages.ts";
import { start } from "../lib/start.ts";
import { useRights } from "../lib/viewer.ts";
import type { Audience } from "../page-declaration.ts";
import { text } from "../texts/texts.ts";

export function settingsTabLabel(tab: SettingsTab): string {
  return text(`settings.tab.${tab}`);
}

/** Those that this user may open. Reading is not changing: read-only mode hides nothing. */
export function useSettingsTabs(): readonly SettingsTab[] {
  const { isAdministrator } = useRights();
  const mayOpen: Readonly<Record<Audience, boolean>> = {
    everybody: true,
    administrators: isAdministrator,
    accounts: isAdministrator && start.authenticationEnabled,
  };
  return settingsTabs.filter((tab) => mayOpen[declaredPages[tab].settingsTab]);
}
