// Creates a custom provider or changes one. Stored secrets never come back: what is left empty keeps them.
import { useState } from "react";
import { customProviderSdks } from "../../../../model/custom-provider.ts";
import { Button } from "../../../kit/Button.tsx";
import { Select, TextField } from "../../../kit/Field.tsx";
import { FieldPair } from "../../../kit/form/FieldRows.tsx";
import { FormDialog } from "../../../kit/form/FormDialog.tsx";
import { type Form, useForm } from "../../../kit/form/use-form.ts";
import { Notice } from "../../../kit/States.tsx";
import { showToast } from "../../../kit/Toast.tsx";
import { askGraphql } from "../../../lib/graphql.ts";
import { useGraphqlMutation } from "../../../lib/queries.ts";
import { text } from "../../../texts/texts.ts";
import { ConnectionFields } from "./ConnectionFields.tsx";
import styles from "./ProviderDialog.module.css";
import {
  configInputOf,
  methodsOf,
  type Preset,
  type ProviderValues,
  presets,
  presetValues,
  providerProblems,
  providerValuesOf,
  refusalText,
  spanProviderOf,
} from "./provider-form.ts";
import { type CustomProvider, createProvider, patchProvider, testProvider } from "./providers.queries.ts";
import { shownConfigOf } from "./shown-config.ts";

interface ProviderDialogProps {
  /** Null for a new one. */
  readonly provider: CustomProvider | null;
  /** What a new one begins with. */
  readonly preset?: Preset | undefined;
  readonly onClose: () => void;
}

/** The kinds that it may become: the interface of a stored provider stays. */
function kindsFor(provider: CustomProvider | null) {
  const speaksOpenAi = (sdk: string) => sdk === "OPENAI" || sdk === "AZURE_OPENAI";
  const kinds = customProviderSdks.filter(
    (sdk) => provider === null || sdk === provider.sdk || (speaksOpenAi(sdk) && speaksOpenAi(provider.sdk)),
  );
  return kinds.map((value) => ({ value, label: text(`providers.sdk.${value}.long`) }));
}

export function ProviderDialog({ provider, preset, onClose }: ProviderDialogProps) {
  const stored = provider === null ? null : shownConfigOf(provider);
  const hasSecrets = ({ method }: ProviderValues) => stored !== null && stored.method === method;
  const form = useForm(preset === undefined ? providerValuesOf(provider) : presetValues(preset), {
    async send(values) {
      const { name, description } = values;
      const shared = { name: name.trim(), provider: spanProviderOf(values), clientConfig: configInputOf(values) };
      if (provider === null) {
        await askGraphql(createProvider, { input: { ...shared, description: description.trim() || null } });
      } else {
        await askGraphql(patchProvider, {
          input: { id: provider.id, ...shared, description: description.trim() || null },
        });
      }
    },
    changes: ["customProviders"],
    check: (values) => providerProblems(values, hasSecrets(values)),
    done: (_, { name }) => showToast(text("providers.saved", { name: name.trim() })),
    onClose,
  });
  const { values } = form;
  const test = useConnectionTest(values, provider?.id ?? null);
  const refusal = form.refusal === null ? null : refusalText(form.refusal);
  const title = provider === null ? text("providers.new") : text("providers.edit.of", { name: provider.name });
  return (
    <FormDialog
      open
      firm
      wide
      form={{ ...form, refusal }}
      title={title}
      submit={text(provider === null ? "providers.create" : "providers.save")}
      leave={
        <>
          <span className={styles.test}>
            <Button aria-disabled={test.isRunning} onClick={test.run}>
              {text(test.isRunning ? "providers.test.running" : "providers.test")}
            </Button>
          </span>
          <Button onClick={form.close}>{text("kit.cancel")}</Button>
        </>
      }
    >
      <div aria-live="polite" className={styles.result}>
        {test.answer !== null && (
          <Notice tone={test.answer.failure === null ? "ok" : "error"}>
            {test.answer.failure ?? text("providers.test.ok")}
          </Notice>
        )}
      </div>
      <FieldPair>
        <Select
          label={text("providers.kind")}
          choices={kindsFor(provider)}
          value={values.sdk}
          onChange={(sdk) => {
            form.field("sdk").onChange(sdk);
            form.field("method").onChange(methodsOf[sdk][0]!);
          }}
        />
        <TextField label={text("providers.name")} autoComplete="off" {...form.field("name")} />
      </FieldPair>
      {provider === null && values.sdk === "OPENAI" && <Presets form={form} />}
      <ConnectionFields form={form} stored={hasSecrets(values) ? stored : null} />
      {values.sdk === "OPENAI" && (
        <TextField
          mono
          label={text("providers.provider")}
          note={text("providers.optional")}
          hint={text("providers.provider.hint")}
          placeholder={spanProviderOf({ ...values, provider: "" })}
          {...form.field("provider")}
        />
      )}
      <TextField
        label={text("providers.description")}
        note={text("providers.optional")}
        autoComplete="off"
        {...form.field("description")}
      />
    </FormDialog>
  );
}

/** Fills in what is known of servers that speak like OpenAI. */
function Presets({ form }: { readonly form: Form<ProviderValues> }) {
  const fill = (preset: Preset) => {
    const { name, provider, address, apiKey, apiType } = presetValues(preset);
    if (form.values.name.trim() === "") form.field("name").onChange(name);
    form.field("provider").onChange(provider);
    form.field("address").onChange(address);
    form.field("apiKey").onChange(apiKey);
    form.field("apiType").onChange(apiType);
  };
  return (
    <div className={styles.presets}>
      <span className={styles.label}>{text("providers.presets")}</span>
      {presets.map((preset) => (
        <Button key={preset.name} onClick={() => fill(preset)}>
          {preset.name}
        </Button>
      ))}
    </div>
  );
}

/** Asks the provider before anything is stored. The answer counts for what was typed then. */
function useConnectionTest(values: ProviderValues, providerId: string | null) {
  const [tested, setTested] = useState<ProviderValues | null>(null);
  const test = useGraphqlMutation(testProvider, []);
  const failure = test.error?.message ?? test.data?.testGenerativeModelCustomProviderCredentials.error ?? null;
  const isAnswered = tested === values && !test.isPending && !test.isIdle;
  return {
    isRunning: test.isPending,
    /** Null before there is an answer. */
    answer: isAnswered ? { failure: failure === null ? null : refusalText(failure) } : null,
    run() {
      if (test.isPending) return;
      setTested(values);
      test.mutate({ input: configInputOf(values), providerId });
    },
  };
}
