#include "attack.h"

/* Maps a huge page of the system, which does not count as memory of the process. */
static int attack(void) {
    void *memory = mmap(NULL, 2 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
    return outcome(memory != MAP_FAILED, "a huge page");
}
