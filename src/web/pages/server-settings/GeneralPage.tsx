// What this server is, and how it was set up. Nothing here is changed by a page.

import type { ReactNode } from "react";
import { serviceAddress } from "../../explorer/onboarding/Programs.tsx";
import { CopyButton } from "../../kit/CopyButton.tsx";
import { Facts, Section, Sections } from "../../kit/Section.tsx";
import { start } from "../../lib/start.ts";
import { useViewer } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import styles from "./GeneralPage.module.css";
import { SettingsPage } from "./SettingsPage.tsx";

export default function GeneralPage() {
  const viewer = useViewer();
  // Without the slash at its end: clients add their own paths.
  const address = serviceAddress();
  const traces = `${address}/v1/traces`;
  const manages = start.managementUrl !== null && (viewer === null || viewer?.isManagementUser === true);
  return (
    <SettingsPage tab="generalSettings">
      <Sections>
        <Section title={text("settings.server")} hint={text("settings.server.hint")}>
          <Facts
            facts={[
              { label: text("settings.version"), value: start.version },
              {
                label: text("settings.address"),
                value: <Copied value={address} label={text("settings.address.copy")} />,
              },
              { label: text("settings.traces"), value: <Copied value={traces} label={text("settings.traces.copy")} /> },
              { label: text("settings.mode"), value: start.readOnly ? text("settings.mode.readonly") : null },
              {
                label: text("settings.support"),
                value:
                  start.supportEmail === null ? null : (
                    <Outward to={`mailto:${start.supportEmail}`}>{start.supportEmail}</Outward>
                  ),
              },
              {
                label: text("settings.management"),
                value: manages ? <Outward to={start.managementUrl ?? ""}>{start.managementUrl}</Outward> : null,
              },
            ]}
          />
        </Section>
        <Section title={text("settings.access")} hint={text("settings.access.hint")}>
          <Facts facts={accessFacts()} />
        </Section>
      </Sections>
    </SettingsPage>
  );
}

function accessFacts() {
  const { signIn } = start;
  if (signIn === null) return [{ label: text("settings.auth"), value: text("settings.auth.off") }];
  const { minimumLength: count, classes } = signIn.passwordRules;
  const rules =
    classes.length === 0 ? text("settings.password.plain", { count }) : text("settings.password.strong", { count });
  return [
    { label: text("settings.auth"), value: text("settings.auth.on") },
    { label: text("settings.password"), value: signIn.password ? rules : text("settings.password.off") },
    {
      label: text("settings.reset"),
      value: signIn.password ? text(signIn.passwordReset ? "settings.reset.mail" : "settings.reset.none") : null,
    },
  ];
}

function Copied({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <span className={styles.copied}>
      <code>{value}</code>
      <CopyButton value={value} label={label} />
    </span>
  );
}

function Outward({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <a href={to} rel="noreferrer" className={styles.link}>
      {children}
    </a>
  );
}
