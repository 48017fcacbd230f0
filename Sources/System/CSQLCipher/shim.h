// The functions for keys are declared only when this says that the library has them.
#define SQLITE_HAS_CODEC 1
#include <sqlcipher/sqlite3.h>
