#include "attack.h"
#include <sys/personality.h>

/* Memory that can always be executed, addresses that are known. */
static int attack(void) { return outcome(personality(ADDR_NO_RANDOMIZE | READ_IMPLIES_EXEC) >= 0, "another personality"); }
