// Kilo's command line, which was made from opencode and keeps the same tables.
import { sourceLikeOpencode } from "../opencode/opencode.ts";

export const kilo = sourceLikeOpencode({ name: "kilo", title: "Kilo CLI", folder: "kilo", variable: "KILO_DB" });
