// What compose.yaml says of our service, as arguments of podman: what is checked is
// what a person gets from `docker compose up`.
import { readFileSync } from "node:fs";
import { load } from "js-yaml";

interface Service {
  readonly user: string;
  readonly read_only: boolean;
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
  readonly tmpfs: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
}

/** @param variables those that a person sets for compose */
export function podmanArguments(composeFile: string, variables: Readonly<Record<string, string>>): string[] {
  const text = readFileSync(composeFile, "utf8").replaceAll(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind: string | undefined, rest: string) => {
      const value = variables[name] ?? (kind === "-" ? rest : undefined);
      if (value === undefined) throw new Error(`compose.yaml wants ${name}.`);
      return value;
    },
  );
  const { services } = load(text) as { services: { commonplace: Service } };
  const service = services.commonplace;
  return [
    `--user=${service.user}`,
    `--read-only=${service.read_only}`,
    ...service.cap_drop.map((name) => `--cap-drop=${name}`),
    ...service.security_opt.map((option) => `--security-opt=${option.replace(":true", "")}`),
    ...service.tmpfs.map((path) => `--tmpfs=${path}`),
    ...Object.entries(service.environment).map(([name, value]) => `--env=${name}=${value}`),
    ...service.volumes.map((volume) => `--volume=${volume}`),
  ];
}
