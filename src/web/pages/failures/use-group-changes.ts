// What people decide about failure groups.
import { showToast } from "../../kit/Toast.tsx";
import { failureOf } from "../../lib/failure.ts";
import { useGraphqlMutation } from "../../lib/queries.ts";
import { textsOf } from "../../texts/texts.ts";
import { failureTexts } from "./failures.late-texts.ts";
import { changeFailureGroup, joinFailureGroups } from "./failures.queries.ts";

const text = textsOf(failureTexts);

interface Group {
  readonly id: string;
  readonly versions: readonly { readonly version: string | null }[];
}

export function useGroupChanges(onDone: () => void) {
  const patch = useGraphqlMutation(changeFailureGroup, ["failures"]);
  const join = useGraphqlMutation(joinFailureGroups, ["failures"]);

  async function run(work: () => Promise<unknown>, done: string): Promise<void> {
    try {
      await work();
      showToast(done);
      onDone();
    } catch (error) {
      showToast(text("failures.failed", { reason: failureOf(error).message }), "error");
    }
  }

  return {
    change(groups: readonly Group[], state: "OPEN" | "RESOLVED" | "IGNORED") {
      if (groups.length === 0) return;
      const send = async () => {
        for (const { id } of groups) await patch.mutateAsync({ input: { id, state } });
      };
      void run(send, text("failures.changed", { count: groups.length }));
    },
    /** Into the first one. */
    merge([into, ...others]: readonly Group[]) {
      if (into === undefined || others.length === 0) return;
      const input = { id: into.id, mergedIds: others.map(({ id }) => id) };
      void run(() => join.mutateAsync({ input }), text("failures.merged", { count: others.length + 1 }));
    },
  };
}
