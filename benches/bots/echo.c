/* A program that answers each line with the same eleven bytes. The benchmark `overhead` compares the arena with it. */

#include <string.h>
#include <unistd.h>

int main(void) {
    static char buffer[1 << 17];
    ssize_t got;
    while ((got = read(0, buffer, sizeof buffer)) > 0) {
        if (memchr(buffer, '\n', (size_t)got) != NULL && write(1, "{\"move\":1}\n", 11) != 11) return 1;
    }
    return 0;
}
