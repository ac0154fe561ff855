// Stands in the place of the playground while no model can be called: three ways to change that, the quickest of them here.
import { useState } from "react";
import { Button, LinkButton } from "../../kit/Button.tsx";
import { TextField } from "../../kit/Field.tsx";
import { linkTo } from "../../lib/links.ts";
import { text } from "../../texts/texts.ts";
import { OLLAMA_ADDRESS } from "./ModelPicker.tsx";
import styles from "./NoProvider.module.css";

interface NoProviderProps {
  readonly onUse: (baseUrl: string, model: string) => void;
}

export function NoProvider({ onUse }: NoProviderProps) {
  const [address, setAddress] = useState(OLLAMA_ADDRESS);
  const [model, setModel] = useState("");
  const [tried, setTried] = useState(false);
  const use = () => {
    setTried(true);
    if (model.trim() !== "" && address.trim() !== "") onUse(address.trim(), model.trim());
  };
  return (
    <div className={styles.page}>
      <h2 className={styles.title}>{text("playground.none.title")}</h2>
      <p className={styles.quiet}>{text("playground.none.text")}</p>
      <div className={styles.ways}>
        <form
          className={styles.way}
          onSubmit={(event) => {
            event.preventDefault();
            use();
          }}
        >
          <h3>{text("playground.none.local")}</h3>
          <p>{text("playground.none.local.text")}</p>
          <TextField
            mono
            label={text("playground.none.local.address")}
            inputMode="url"
            value={address}
            onChange={setAddress}
          />
          <TextField
            mono
            label={text("playground.none.local.model")}
            placeholder={text("playground.none.local.example")}
            value={model}
            problem={tried && model.trim() === "" ? text("playground.model.missing") : null}
            onChange={setModel}
          />
          <span>
            <Button look="main" type="submit">
              {text("playground.none.local.start")}
            </Button>
          </span>
        </form>
        <section className={styles.way}>
          <h3>{text("playground.none.key")}</h3>
          <p>{text("playground.none.key.text")}</p>
          <span>
            <LinkButton to={linkTo("modelProviders")}>{text("playground.none.key.open")}</LinkButton>
          </span>
        </section>
        <section className={styles.way}>
          <h3>{text("playground.none.environment")}</h3>
          <p>{text("playground.none.environment.text")}</p>
        </section>
      </div>
    </div>
  );
}
