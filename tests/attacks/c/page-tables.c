#include "attack.h"

/* Fills tables of reserved memory: each page that is read needs a table of 4 KiB, which is not memory of the process.
 * All tables take 640 MiB, which is more than the limit of 512. */
static int attack(void) {
    const size_t per_table = 2 << 20, all = 163840 * per_table;
    volatile char *memory = mmap(NULL, all, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return outcome(0, "no reserved memory");
    for (size_t at = 0; at < all; at += per_table) (void)memory[at];
    return outcome(1, "tables beyond the limit of memory");
}
