// What the database holds, by kind: where policies can free space.
import { Facts, Section } from "../../../kit/Section.tsx";
import { Loaded, Notice } from "../../../kit/States.tsx";
import { formatBytes, formatShare } from "../../../lib/format.ts";
import { useGraphql } from "../../../lib/queries.ts";
import { text } from "../../../texts/texts.ts";
import { contentsOfDatabase } from "./retention.queries.ts";

const backupTexts = {
  FAILED: "retention.storage.backup.FAILED",
  DATED_AHEAD: "retention.storage.backup.DATED_AHEAD",
} as const;

export function DatabaseContents() {
  const query = useGraphql(contentsOfDatabase, {});
  return (
    <Section title={text("retention.storage")} hint={text("retention.storage.hint")}>
      <Loaded query={query}>
        {({ dbContents, dbStorageCapacityBytes: allotted, serverStatus: { backupTrouble } }) => {
          const total = dbContents.reduce((sum, { numBytes }) => sum + numBytes, 0);
          const bytes = formatBytes(total);
          return (
            <>
              {backupTrouble !== null && <Notice tone="warn">{text(backupTexts[backupTrouble])}</Notice>}
              <Facts
                facts={[
                  {
                    label: text("retention.storage.total"),
                    value:
                      allotted === null
                        ? bytes
                        : text("retention.storage.allotted", { bytes, allotted: formatBytes(allotted) }),
                  },
                  ...dbContents.map(({ kind, numBytes }) => ({
                    label: text(`retention.storage.${kind}`),
                    value: text("retention.storage.share", {
                      bytes: formatBytes(numBytes),
                      percent: formatShare(numBytes / total),
                    }),
                  })),
                ]}
              />
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
