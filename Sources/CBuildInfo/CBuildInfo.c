#include "CBuildInfo.h"

const char *beacon_build_commit(void) { return BEACON_COMMIT; }
