// The bundler defines this in a build; here the modules of src/ run as they are,
// so this is imported before them.
import { PROGRAM_CONSTANTS } from "../program-constants.ts";

Object.assign(globalThis, PROGRAM_CONSTANTS);
