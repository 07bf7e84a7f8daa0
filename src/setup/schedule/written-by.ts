// What every file of a schedule says, for people who find it, and for the command
// that writes or removes it.

/** By this an earlier file of ours is told from somebody else's. */
export const MARK = 'Written by "commonplace';

export const WRITTEN_BY = `${MARK} index --install"`;
