/* What a build knows about itself. */
#ifndef CBUILDINFO_H
#define CBUILDINFO_H

/* The commit that the program was built from; empty if the build was not told. */
const char *beacon_build_commit(void);

#endif
