#include "attack.h"

/* Maps page zero, which a faulty kernel may read instead of its own memory. */
static int attack(void) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    return outcome(page != MAP_FAILED, "page zero is mapped");
}
