// The bundler defines this in a build; here the modules run as they are. To be
// imported before any of them.
import { PROGRAM_CONSTANTS } from "../scripts/program-constants.ts";

Object.assign(globalThis, PROGRAM_CONSTANTS);
