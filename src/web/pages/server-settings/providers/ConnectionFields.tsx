// The fields of a custom provider that depend on its kind: address, credentials, headers.
import { X } from "lucide-react";
import { PasswordField } from "../../../domain/account/PasswordField.tsx";
import { IconButton } from "../../../kit/Button.tsx";
import { Segmented, Select, TextField } from "../../../kit/Field.tsx";
import { FieldPair, FieldRows } from "../../../kit/form/FieldRows.tsx";
import type { Form, FormField } from "../../../kit/form/use-form.ts";
import { text } from "../../../texts/texts.ts";
import styles from "./ProviderDialog.module.css";
import { methodsOf, type ProviderValues } from "./provider-form.ts";
import { endOfMask, type ShownConfig } from "./shown-config.ts";

interface ConnectionFieldsProps {
  readonly form: Form<ProviderValues>;
  /** Whose secrets stay when they are left empty; null for none. */
  readonly stored: ShownConfig | null;
}

const apiChoices = (["CHAT_COMPLETIONS", "RESPONSES"] as const).map((value) => ({
  value,
  label: text(`providers.api.${value}`),
}));

export function ConnectionFields({ form, stored }: ConnectionFieldsProps) {
  const { sdk } = form.values;
  const methods = methodsOf[sdk].map((value) => ({ value, label: text(`providers.method.${value}`) }));
  return (
    <>
      {sdk === "AWS_BEDROCK" && (
        <TextField mono label={text("providers.region")} placeholder={examples.region} {...form.field("region")} />
      )}
      <TextField
        mono
        label={text("providers.address")}
        {...(sdk === "AZURE_OPENAI" ? {} : { note: text("providers.optional") })}
        hint={text(`providers.address.${sdk}`)}
        placeholder={placeholders[sdk]}
        inputMode="url"
        {...form.field("address")}
      />
      {(sdk === "OPENAI" || sdk === "AZURE_OPENAI") && (
        <div className={styles.choice}>
          <span className={styles.label}>{text("providers.api")}</span>
          <Segmented
            label={text("providers.api")}
            choices={apiChoices}
            value={form.values.apiType}
            onChange={form.field("apiType").onChange}
          />
          <p className={styles.hint}>{text("providers.api.hint")}</p>
        </div>
      )}
      {methods.length > 1 && (
        <Select
          label={text("providers.method")}
          choices={methods}
          value={form.values.method}
          onChange={form.field("method").onChange}
        />
      )}
      <Credentials form={form} stored={stored} />
      {sdk === "OPENAI" && (
        <FieldPair>
          <TextField
            label={text("providers.organization")}
            note={text("providers.optional")}
            autoComplete="off"
            {...form.field("organization")}
          />
          <TextField
            label={text("providers.project")}
            note={text("providers.optional")}
            autoComplete="off"
            {...form.field("project")}
          />
        </FieldPair>
      )}
      {sdk !== "AWS_BEDROCK" && <Headers {...form.field("headers")} />}
    </>
  );
}

const examples = { region: "us-east-1", header: "x-api-version" } as const;
const placeholders = {
  OPENAI: "https://api.openai.com/v1",
  AZURE_OPENAI: "https://my-resource.openai.azure.com",
  ANTHROPIC: "https://api.anthropic.com",
  AWS_BEDROCK: "https://bedrock-runtime.us-east-1.amazonaws.com",
  GOOGLE_GENAI: "https://generativelanguage.googleapis.com",
} as const;

function Credentials({ form, stored }: ConnectionFieldsProps) {
  const end = endOfMask(stored?.mask ?? null);
  const kept =
    stored === null ? {} : { hint: end === null ? text("providers.kept") : text("providers.kept.ends", { end }) };
  switch (form.values.method) {
    case "key":
      return <PasswordField label={text("providers.key")} purpose="off" {...kept} {...form.field("apiKey")} />;
    case "application":
      return (
        <>
          <FieldPair>
            <TextField mono label={text("providers.tenant")} {...form.field("tenantId")} />
            <TextField mono label={text("providers.client")} {...form.field("clientId")} />
          </FieldPair>
          <PasswordField
            label={text("providers.client.secret")}
            purpose="off"
            {...kept}
            {...form.field("clientSecret")}
          />
        </>
      );
    case "accessKeys":
      return (
        <>
          <TextField mono label={text("providers.access.id")} {...form.field("accessKeyId")} />
          <PasswordField
            label={text("providers.access.secret")}
            purpose="off"
            {...kept}
            {...form.field("secretAccessKey")}
          />
          <PasswordField
            label={text("providers.access.token")}
            purpose="off"
            hint={text("providers.access.token.hint")}
            {...form.field("sessionToken")}
          />
        </>
      );
    case "server":
      return (
        <p className={styles.hint}>
          {text(form.values.sdk === "AWS_BEDROCK" ? "providers.server.aws" : "providers.server.azure")}
        </p>
      );
  }
}

function Headers(field: FormField<ProviderValues["headers"]>) {
  return (
    <FieldRows
      {...field}
      legend={text("providers.headers")}
      note={text("providers.optional")}
      blank={{ name: "", value: "", isStored: false }}
      add={text("providers.header.add")}
    >
      {(row, { change, remove }) => {
        const name = row.name.trim() || text("providers.header.this");
        return (
          <div className={styles.header}>
            <TextField
              mono
              labelHidden
              label={text("providers.header.name")}
              placeholder={examples.header}
              value={row.name}
              // Another name is another header: its value is not stored.
              onChange={(typed) => change({ name: typed, isStored: false })}
            />
            <TextField
              labelHidden
              label={text("providers.header.value", { name })}
              placeholder={row.isStored ? text("providers.header.kept") : ""}
              type="password"
              autoComplete="off"
              value={row.value}
              onChange={(typed) => change({ value: typed })}
            />
            <IconButton label={text("providers.header.remove", { name })} icon={<X />} onClick={remove} />
          </div>
        );
      }}
    </FieldRows>
  );
}
