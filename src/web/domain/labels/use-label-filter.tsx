// Narrows a list of things with labels to one label, by the address.
import { useMemo } from "react";
import { Select } from "../../kit/Field.tsx";
import { useAddress } from "../../lib/address.ts";
import { text } from "../../texts/texts.ts";
import type { Label } from "./labels.tsx";

/** `labelId` is empty for all labels. The choice is nothing while there are no labels. */
export function useLabelFilter(labels: readonly { readonly node: Label }[] | undefined) {
  const { get, set } = useAddress();
  const labelId = get("label") ?? "";
  const choices = useMemo(
    () => [
      { value: "", label: text("labels.all") },
      ...(labels ?? []).map(({ node: { id, name } }) => ({ value: id, label: name })),
    ],
    [labels],
  );
  const choice = choices.length > 1 && (
    <Select
      labelHidden
      label={text("labels.title")}
      choices={choices}
      value={labelId}
      onChange={(label) => set({ label })}
    />
  );
  return { labelId, choice };
}
