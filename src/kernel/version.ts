// The program's name and version, as every part reports them. The build puts
// the number of package.json in.
declare const COMMONPLACE_VERSION: string;

export const NAME = "commonplace";
export const VERSION: string = COMMONPLACE_VERSION;
