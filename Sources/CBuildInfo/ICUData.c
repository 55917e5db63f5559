/*
 * The part of ICU's data that the Debian packages keep: scripts/icu-data.py writes it, and says why.
 *
 * Foundation's archive has all of the data, 34 MB, in an object of its own. The linker leaves that out if its symbol has
 * a definition already.
 */
#ifdef BEACON_ICU_DATA
#include BEACON_ICU_DATA
#else
typedef int beacon_all_icu_data;
#endif
