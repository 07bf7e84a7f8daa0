// Raised by those who change what is recognised as a secret: what an earlier release
// found to have none is then looked at again, in the store of every user. Other
// changes of this room leave it as it is. redaction-version.test.ts fails if the code
// changed and this number did not. Releases before 2 stored a hash of the source.
export const REDACTION = 4;
