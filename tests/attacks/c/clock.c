#include "attack.h"
#include <sys/timex.h>

/* Sets the machine's clock or its tick to the present value. */
static int attack(void) {
    struct timespec now;
    struct timeval time;
    struct timex change = {.modes = ADJ_TICK, .tick = 10000};
    clock_gettime(CLOCK_REALTIME, &now);
    gettimeofday(&time, NULL);
    if (!strcmp(mode(), "clock-settime")) return outcome(clock_settime(CLOCK_REALTIME, &now) == 0, "the clock is set");
    if (!strcmp(mode(), "settimeofday")) return outcome(settimeofday(&time, NULL) == 0, "the clock is set");
    if (!strcmp(mode(), "adjtimex")) return outcome(adjtimex(&change) >= 0, "the tick is set");
    return outcome(clock_adjtime(CLOCK_REALTIME, &change) >= 0, "the tick is set");
}
