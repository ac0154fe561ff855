// The current user: name, password, API keys, and what this browser remembers.
import { Section, Sections } from "../../kit/Section.tsx";
import { useViewer } from "../../lib/viewer.ts";
import { Page } from "../../shell/Page.tsx";
import { text } from "../../texts/texts.ts";
import { Account } from "./Account.tsx";
import { OwnKeys } from "./OwnKeys.tsx";
import { OwnPassword } from "./OwnPassword.tsx";
import { Preferences } from "./Preferences.tsx";

export default function ProfilePage() {
  const viewer = useViewer();
  return (
    <Page title={text("profile.title")}>
      <Sections>
        {viewer === null && (
          <Section title={text("profile.off.title")}>
            <p>{text("profile.off")}</p>
          </Section>
        )}
        {viewer && (
          <>
            <Section title={text("profile.account")} hint={text("profile.account.hint")}>
              <Account viewer={viewer} />
            </Section>
            {viewer.authMethod === "LOCAL" && (
              <Section title={text("profile.password")} hint={text("profile.password.hint")}>
                <OwnPassword name={viewer.email ?? viewer.username} />
              </Section>
            )}
            <Section title={text("profile.keys")} hint={text("profile.keys.hint")}>
              <OwnKeys />
            </Section>
          </>
        )}
        <Section title={text("profile.preferences")} hint={text("profile.preferences.hint")}>
          <Preferences />
        </Section>
      </Sections>
    </Page>
  );
}
